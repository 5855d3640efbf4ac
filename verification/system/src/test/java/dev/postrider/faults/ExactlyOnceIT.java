package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.prove.run.ChildProcess;
import dev.postrider.prove.write.LedgerEntry;
import dev.postrider.prove.write.WriterPlan;
import dev.postrider.prove.write.Writers;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.postgres.PostgresInboxStore;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * From an outbox over a broker into an inbox, with relays and consumers that are killed at random: what was committed has its effect, and
 * exactly once; what was rolled back has none.
 */
class ExactlyOnceIT {

    private static final int KILLS = 4;
    /** Until a duplicate had to be dropped: whether a kill makes one is chance. */
    private static final int MOST_KILLS = 60;

    @ParameterizedTest
    @EnumSource(ChainBroker.class)
    void everyEffectHappensOnceWhoeverIsKilled(ChainBroker kind) throws SQLException {
        Database database = Servers.postgres().createDatabase("chain");
        Effects effects = new Effects(database.dataSource());
        Books books = Books.open(database.dataSource());
        OutboxStore store = createTables(database, effects);
        String topic = "chain-" + UUID.randomUUID();
        List<ChildProcess> processes = new ArrayList<>();
        try {
            processes.addAll(start(ChainRole.CONSUMER, kind, database, topic));
            processes.addAll(start(ChainRole.RELAY, kind, database, topic));
            WriterPlan plan = Plans.busy().withTopics(topic);
            try (Writers writers = books.start(database.dataSource(), Outbox.withDefaults(store), plan)) {
                killAtRandom(processes, effects);
                writers.stop();
            }
            awaitEffects(books.committed().size(), effects, processes);
            writeTheLast(database, store, plan, topic);
            awaitEffects(books.committed().size(), effects, processes);
            judge(effects, books.committed(), kind);
        } finally {
            processes.forEach(ChildProcess::kill);
        }
    }

    private static OutboxStore createTables(Database database, Effects effects) {
        effects.create();
        PostgresInboxStore.builder(database.dataSource())
                .schemaMode(SchemaMode.CREATE)
                .build();
        return Stores.open(database.jdbcUrl(), database.dataSource(), SchemaMode.CREATE);
    }

    private static List<ChildProcess> start(ChainRole role, ChainBroker kind, Database database, String topic) {
        Broker broker = kind.server();
        List<ChildProcess> started = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            String name = role.name().toLowerCase(Locale.ROOT) + "-" + i;
            started.add(
                    ChainSettings.of(role, kind, broker, database, topic, name).start());
        }
        return started;
    }

    /** Each time when effects have gone on for a while, so that there is always something to interrupt. */
    private static void killAtRandom(List<ChildProcess> processes, Effects effects) {
        Random random = Seed.random("kills");
        for (int i = 0; i < KILLS || (i < MOST_KILLS && effects.duplicates() == 0); i++) {
            awaitEffects(effects.different() + 50, effects, processes);
            Eventually.pause(Duration.ofMillis(random.nextInt(500)));
            // In turn a consumer and a relay, either of the two.
            ChildProcess victim = processes.get(i % 2 * 2 + random.nextInt(2));
            victim.kill();
            victim.restart();
        }
    }

    private static void awaitEffects(long expected, Effects effects, List<ChildProcess> processes) {
        Eventually.holds(expected + " effects, " + Seed.text(), () -> {
            processes.forEach(ChildProcess::restartIfEnded);
            return effects.different() >= expected;
        });
    }

    /** One message for each key: when they have arrived, so have the duplicates that stand before them. */
    private static void writeTheLast(Database database, OutboxStore store, WriterPlan plan, String topic)
            throws SQLException {
        Outbox outbox = Outbox.withDefaults(store);
        outbox.inTransaction(database.dataSource(), tx -> {
            for (String key : plan.keys().all()) {
                long n = Books.lock(tx.connection(), key) + 1;
                OutboxMessage message = outbox.message(topic)
                        .type("Counted")
                        .key(key)
                        .payload(Wire.payload(n, 1))
                        .build();
                tx.enqueue(message);
                Books.record(
                        tx.connection(), List.of(new LedgerEntry(message.id().toString(), topic, key, n)));
            }
        });
    }

    private static void judge(Effects effects, List<LedgerEntry> committed, ChainBroker kind) {
        List<LedgerEntry> happened = effects.all();
        assertThat(happened).as("effects, %s", Seed.text()).containsExactlyInAnyOrderElementsOf(committed);
        assertThat(effects.duplicates()).as("duplicates that the inbox dropped").isPositive();
        if (kind == ChainBroker.KAFKA) {
            Map<String, Long> last = new HashMap<>();
            assertThat(happened)
                    .as("order of each key, %s", Seed.text())
                    .filteredOn(sent -> !sent.key().isEmpty())
                    .allMatch(sent -> sent.n() > Objects.requireNonNullElse(last.put(sent.key(), sent.n()), 0L));
        }
    }
}
