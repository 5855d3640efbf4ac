package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.relay.StoreOperation;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.LaneScan.Fetched;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RowOutcome;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.NotOnTidb;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Relays that die or hang with rows in their hands. */
@NotOnTidb("nobody can claim rows there, see refusesToClaimRowsOfTidbAndSaysWhy")
class CrashIT {

    private static final Duration LEASE = Duration.ofSeconds(1);

    private final RecordingDestination broker = new RecordingDestination("broker");

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB"})
    void claimsRowsAgainThatARelayLeftInSending(Server server) {
        Tables tables = Tables.empty(server, Preset.ENUM_STATUS);
        tables.insert(3);
        Hands dead = new Hands(tables.store().build());
        assertThat(dead.take()).hasSize(3);
        assertThat(tables.column("SELECT DISTINCT status FROM outbox")).containsExactly("sending");
        assertThat(new Hands(tables.store().build()).take()).isEmpty();

        try (Relay next = relay(tables)) {
            next.start();
            broker.awaitDelivered(3, Duration.ofSeconds(20));
        }
        assertThat(tables.count("status = 'sent'")).isEqualTo(3);
    }

    @Test
    void refusesWhatARelayWantsToRecordOfRowsThatAnotherHasClaimedSince() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.ENUM_STATUS);
        tables.insert(1);
        Hands slow = new Hands(tables.store().build());
        Fetched first = slow.fetch();
        // As if the claim were over; the other one asks for more, so that its end differs although no time has passed.
        tables.execute("UPDATE outbox SET next_attempt_at = '2020-01-01'");
        Hands other = new Hands(tables.store().build(), Duration.ofMinutes(1));
        assertThat(other.take()).hasSize(1);
        assertThat(slow.store().leases().renew(List.of(slow.renewal()), Duration.ofMinutes(2)))
                .isEmpty();

        slow.store()
                .forRelay(Ordering.NONE)
                .settle(
                        slow.lane().lease(),
                        List.of(RowOutcome.hot(
                                first.rows().get(0).ref(), new RowOutcome.Dead(DeadReason.REJECTED, 1, "late"))));

        assertThat(tables.value("SELECT status FROM outbox")).isEqualTo("sending");
        assertThat(tables.value("SELECT attempts FROM outbox")).isEqualTo("0");
        assertThat(other.store().leases().renew(List.of(other.renewal()), LEASE))
                .containsExactly(0);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MYSQL"})
    void freesLockedRowsWhenTheConnectionOfADeadRelayBreaks(Server server) {
        Preset preset = server == Server.POSTGRES ? Preset.EVENT_OUTBOX : Preset.RECORDS;
        Tables tables = Tables.empty(server, preset);
        tables.insert(3);
        try (var pool = tables.sameDatabase("")) {
            Hands dying =
                    new Hands(StatusOutboxStore.builder(pool, preset.mapping()).build());
            assertThat(dying.take()).hasSize(3);
            assertThat(new Hands(tables.store().build()).take()).isEmpty();
            pool.getHikariPoolMXBean().softEvictConnections();
            tables.killOthers();
        }

        try (Relay next = relay(tables)) {
            next.start();
            broker.awaitDelivered(3, Duration.ofSeconds(20));
        }
    }

    /** Batches are committed by another thread while the relay goes on; what it cannot commit was sent and is not sent again. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "MYSQL"})
    void recordsLaterWhatCouldNotBeCommittedBesideTheNextBatch(Server server) {
        Preset preset = server == Server.POSTGRES ? Preset.EVENT_OUTBOX : Preset.RECORDS;
        Tables tables = Tables.empty(server, preset);
        tables.insert(300);
        CutDataSource network = new CutDataSource(tables.dataSource());
        OutboxStore store = StatusOutboxStore.builder(network.dataSource(), preset.mapping())
                .lanes(1)
                .batchRows(5)
                .build();
        AtomicInteger sent = new AtomicInteger();
        broker.answer(message -> {
            if (sent.incrementAndGet() % 90 == 0) {
                network.cutBefore(0);
            } else if (network.isCut()) {
                network.heal();
            }
            return DeliveryResult.DELIVERED;
        });

        try (Relay relay = Relay.builder(store, broker)
                .ordering(Ordering.NONE)
                .workers(1)
                .maxPollInterval(Duration.ofMillis(50))
                .listener(new RelayListener() {
                    @Override
                    public void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
                        network.heal();
                    }
                })
                .build()) {
            relay.start();
            broker.awaitDelivered(300, Duration.ofSeconds(60));
        }

        assertThat(store.stats().undelivered()).isZero();
        assertThat(broker.sent()).extracting(OutboxMessage::id).doesNotHaveDuplicates();
        assertThat(network.committers).contains("postrider-record");
    }

    @Test
    void letsTheServerEndATransactionThatNobodyTouches() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX);
        tables.insert(2);
        Hands hanging = new Hands(tables.store().build());
        assertThat(hanging.take()).hasSize(2);

        try (Relay next = relay(tables)) {
            next.start();
            broker.awaitDelivered(2, Duration.ofSeconds(20));
        }
        // The one that hung wakes up: its rows were delivered by another, and stay delivered.
        hanging.fetch();
        assertThat(tables.count("published_at IS NOT NULL AND retry_count = 0")).isEqualTo(2);
    }

    @Test
    void leavesRowsOfUnknownStatusAloneAndGivesUpThoseWithNullsThatMakeNoMessage() {
        Tables tables = Tables.empty(Server.MARIADB, Preset.OUTBOX_EVENTS);
        tables.execute(
                "ALTER TABLE outbox_events ADD COLUMN IF NOT EXISTS state VARCHAR(10) NULL, ADD COLUMN IF NOT EXISTS kind VARCHAR(10) NULL");
        tables.insert(4);
        tables.execute("UPDATE outbox_events SET state = 'new', kind = 'K'");
        List<String> ids = tables.column("SELECT id FROM outbox_events ORDER BY id");
        tables.execute("UPDATE outbox_events SET state = 'held' WHERE id = '" + ids.get(0) + "'");
        tables.execute("UPDATE outbox_events SET state = NULL WHERE id = '" + ids.get(1) + "'");
        tables.execute("UPDATE outbox_events SET kind = NULL WHERE id = '" + ids.get(2) + "'");
        TableMapping mapping = Preset.OUTBOX_EVENTS.mapping().toBuilder()
                .status(StatusValues.of("state", "new").withDelivered("done").withDead("dead"))
                .deletesDelivered(false)
                .type(MappedText.column("kind"))
                .build();

        try (Relay relay = Relay.builder(
                        StatusOutboxStore.builder(tables.dataSource(), mapping).build(), broker)
                .ordering(Ordering.NONE)
                .build()) {
            assertThat(relay.drainOnce().delivered()).isEqualTo(1);
        }

        assertThat(tables.column("SELECT COALESCE(state, 'NULL') FROM outbox_events ORDER BY id"))
                .containsExactly("held", "NULL", "dead", "done");
    }

    private Relay relay(Tables tables) {
        return Relay.builder(tables.store().build(), broker)
                .ordering(Ordering.NONE)
                .lease(Duration.ofSeconds(30))
                .build();
    }
}
