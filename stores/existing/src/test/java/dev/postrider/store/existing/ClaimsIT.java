package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowOutcome;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.NotOnTidb;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may record what of a claimed row, and that no setting of the pool changes it. */
@NotOnTidb("nobody can claim rows there, see refusesToClaimRowsOfTidbAndSaysWhy")
class ClaimsIT {

    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void lacksEveryRightButToRecordADeliveryOnceAClaimIsOver() {
        Tables tables = Layout.CLAIMED_UNTIL.empty();
        tables.insert(2);
        Hands late = new Hands(Layout.CLAIMED_UNTIL.store(tables.dataSource()));
        List<OutboxRow> rows = late.fetch().rows();
        tables.execute("UPDATE event_outbox SET claimed_until = now() - interval '1 minute'");
        Hands next = new Hands(Layout.CLAIMED_UNTIL.store(tables.dataSource()), Duration.ofMinutes(1));
        assertThat(next.take()).hasSize(2);

        assertThat(late.store().leases().renew(List.of(late.renewal()), LONG)).isEmpty();
        late.store()
                .forRelay(Ordering.NONE)
                .settle(
                        late.lane().lease(),
                        List.of(RowOutcome.hot(
                                rows.get(0).ref(), new RowOutcome.RetryLater("broker", 1, "late", Duration.ZERO))));
        late.store().forRelay(Ordering.NONE).deleteDelivered(List.of(rows.get(1).ref()));

        assertThat(tables.count("retry_count = 0 AND last_error IS NULL AND claimed_until > now()"))
                .isEqualTo(1);
        assertThat(tables.count("published_at IS NOT NULL")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"NEXT_ATTEMPT", "CLAIMED_UNTIL"})
    void losesNoOutcomeAndNoLaneWhileClaimsAreProlonged(Layout layout) {
        Tables tables = layout.empty();
        tables.insert(60);
        Hands hands = new Hands(layout.store(tables.dataSource()), Duration.ofMinutes(1));
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Boolean> prolonged = CompletableFuture.supplyAsync(() -> {
            boolean isAlways = true;
            for (int n = 0; !isOver.get(); n++) {
                isAlways &= !hands.store()
                        .leases()
                        .renew(List.of(hands.renewal()), Duration.ofSeconds(60 + n % 60))
                        .isEmpty();
            }
            return isAlways;
        });

        int settled = 0;
        for (List<OutboxRow> rows = hands.fetch().rows();
                !rows.isEmpty();
                rows = hands.fetch().rows()) {
            for (OutboxRow row : rows) {
                RowOutcome hold =
                        RowOutcome.hot(row.ref(), new RowOutcome.RetryLater("broker", 1, "busy", Duration.ofHours(1)));
                hands.store().forRelay(Ordering.NONE).settle(hands.lane().lease(), List.of(hold));
                settled++;
            }
        }
        isOver.set(true);

        assertThat(prolonged.join()).as("no lane was lost").isTrue();
        assertThat(settled).isEqualTo(60);
        assertThat(tables.count("last_error = 'busy'")).isEqualTo(60);
    }

    @Test
    void neverBringsADeliveredRowBackToLife() {
        Tables tables = Layout.OPEN_TRANSACTION_POSTGRES.empty();
        tables.insert(1);
        Hands slow = new Hands(tables.leaderStore());
        OutboxRow row = slow.fetch().rows().get(0);
        tables.execute("UPDATE event_outbox SET published_at = now()");

        slow.store()
                .forRelay(Ordering.NONE)
                .settle(
                        slow.lane().lease(),
                        List.of(RowOutcome.hot(
                                row.ref(), new RowOutcome.RetryLater("broker", 1, "late", Duration.ZERO))));

        assertThat(tables.count("published_at IS NOT NULL AND retry_count = 0")).isEqualTo(1);
    }

    @Test
    void recordsADeliveryLaterWhereAnotherRelayHasTheRowByThen() {
        Tables tables = Layout.OPEN_TRANSACTION_POSTGRES.empty();
        tables.insert(1);
        try (HikariDataSource pool = tables.sameDatabase("SET application_name = 'slow'")) {
            Hands slow = new Hands(Layout.OPEN_TRANSACTION_POSTGRES.store(pool));
            OutboxRow row = slow.fetch().rows().get(0);
            pool.getHikariPoolMXBean().softEvictConnections();
            tables.column("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'slow'");
            Hands next = new Hands(tables.store().build(), LONG);
            assertThat(next.take()).hasSize(1);

            // Does not wait for the other one's lock, which nobody releases meanwhile.
            slow.store().forRelay(Ordering.NONE).deleteDelivered(List.of(row.ref()));
            assertThat(tables.count("published_at IS NULL")).isEqualTo(1);

            next.store().leases().release(List.of(next.renewal()));
            slow.fetch();
            assertThat(tables.count("published_at IS NOT NULL")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "OPEN_TRANSACTION_POSTGRES, SET default_transaction_isolation = 'serializable'",
        "CLAIMED_UNTIL, SET default_transaction_isolation = 'repeatable read'",
        "OPEN_TRANSACTION_MYSQL, SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE",
        "NEXT_ATTEMPT, SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE",
        "LEADER, SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED"
    })
    void sharesRowsExactlyWhateverIsolationThePoolHas(Layout layout, String isolation) {
        Tables tables = layout.empty();
        List<String> ids = tables.insert(60);
        RecordingDestination broker = new RecordingDestination("broker");
        broker.answer(message -> DeliveryResult.DELIVERED);

        try (HikariDataSource pool = tables.sameDatabase(isolation);
                Relay first = relay(layout, pool, broker);
                Relay second = relay(layout, pool, broker)) {
            first.start();
            second.start();
            broker.awaitDelivered(60, LONG);
        }
        assertThat(CompetingRelaysIT.idsOf(broker.delivered())).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(layout.store(tables.dataSource()).stats().undelivered()).isZero();
    }

    private static Relay relay(Layout layout, HikariDataSource pool, RecordingDestination broker) {
        return Relay.builder(layout.store(pool), broker)
                .ordering(Ordering.NONE)
                .lease(Duration.ofMinutes(1))
                .build();
    }
}
