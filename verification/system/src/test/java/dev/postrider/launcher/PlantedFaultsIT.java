package dev.postrider.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.prove.check.Arrival;
import dev.postrider.prove.check.Committed;
import dev.postrider.prove.run.ProofResult;
import dev.postrider.prove.server.ProofSite;
import dev.postrider.prove.write.Ledger;
import dev.postrider.prove.write.LedgerEntry;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.store.jdbc.SchemaMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A proof during which somebody loses, invents and swaps messages: it must not pass. */
class PlantedFaultsIT {

    private static final String LOST = "00000000-0000-7000-8000-000000000001";
    private static final String SWAPPED_KEY = "planted";

    @TempDir
    private Path directory;

    @Test
    void seesWhatIsLostInventedAndOutOfOrderAndKeepsEverything() throws Exception {
        AtomicBoolean planted = new AtomicBoolean();
        try (ProofSite site = ProofSite.open("postgres", UnaryOperator.identity(), "rabbitmq")) {
            ProofResult result = new TestProof(directory, 5, true)
                    .run(site, Set.of(), (done, phase, transactions, faults, news) -> {
                        if (phase.equals("writing") && planted.compareAndSet(false, true)) {
                            plant(site);
                        }
                    });
            assertThat(result.holds()).isFalse();
            assertThat(result.verdict().stuckKeys())
                    .as("relays had the time to deliver all")
                    .isEmpty();
            assertThat(result.verdict().lost()).extracting(Committed::id).containsExactly(LOST);
            assertThat(result.verdict().phantoms()).hasSize(1);
            assertThat(result.verdict().outOfOrder())
                    .extracting(arrival -> arrival.key().orElseThrow(), Arrival::n)
                    .containsExactly(tuple(SWAPPED_KEY, 1L));
            assertThat(Leftovers.at(site))
                    .contains("table " + TestProof.NAME, "queue " + TestProof.NAME, "exchange " + TestProof.NAME)
                    .anyMatch(left -> left.startsWith("function "));
            assertThat(result.history())
                    .hasValueSatisfying(file -> assertThat(file).content().contains("{\"committed\":\"" + LOST + "\""));
        }
    }

    private static void plant(ProofSite site) {
        try (OutboxDatabase database = OutboxDatabase.open(site.database());
                Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            Outbox outbox = Outbox.withDefaults(
                    database.tables(new StoreSettings().prefix(TestProof.NAME)).open(SchemaMode.NONE));
            record(connection, LOST, "key-0", 1_000_000);
            outbox.enqueue(connection, message(outbox, "phantom", 1));
            for (long n = 2; n >= 1; n--) {
                OutboxMessage swapped = message(outbox, SWAPPED_KEY, n);
                outbox.enqueue(connection, swapped);
                record(connection, swapped.id().toString(), SWAPPED_KEY, n);
            }
            connection.commit();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static OutboxMessage message(Outbox outbox, String key, long n) {
        return outbox.message(TestProof.NAME)
                .type("prove.Counted")
                .key(key)
                .payload((key + "\n" + n + "\n").getBytes(StandardCharsets.UTF_8))
                .build();
    }

    private static void record(Connection connection, String id, String key, long n) throws SQLException {
        new Ledger(TestProof.NAME).record(connection, List.of(new LedgerEntry(id, TestProof.NAME, key, n)));
    }
}
