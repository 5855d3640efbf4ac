package dev.postrider.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.source.ListSource.Event;
import dev.postrider.spi.KnownRows;
import dev.postrider.spi.LaneLeases.LaneState;
import dev.postrider.spi.LaneLeases.Renewal;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.spi.Lease;
import dev.postrider.spi.LeaseLostException;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowOutcome;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class SourceLeasesTest {

    private static final Duration LEASE = Duration.ofSeconds(20);

    private final TestClock clock = new TestClock();
    private final AtomicBoolean isLeader = new AtomicBoolean(true);
    private final ListSource source = new ListSource();
    private final SourceOutboxStore<Event> store = SourceOutboxStore.builder(source)
            .onlyWhile(isLeader::get)
            .clocks(clock, clock::nanoTime)
            .build();

    @Test
    void thereIsOneLaneAndOneOwner() {
        Lease lease = take("a");

        assertThat(store.laneCount()).isOne();
        assertThat(store.leases().take(0, "b", LEASE)).isEmpty();
        assertThat(store.leases().take(1, "b", LEASE)).isEmpty();
        assertThat(store.leases().lanes()).containsExactly(new LaneState(0, Optional.of("a"), lease.epoch(), LEASE));
    }

    @Test
    void anExpiredLeaseIsTakenOverAtAHigherEpoch() {
        Lease old = take("a");
        clock.advance(LEASE);
        Lease next = take("b");

        assertThat(next.epoch()).isGreaterThan(old.epoch());
        assertThat(renew(old)).isFalse();
        assertThat(renew(next)).isTrue();
    }

    @Test
    void whoeverRenewsKeepsTheLane() {
        Lease lease = take("a");
        for (int i = 0; i < 5; i++) {
            clock.advance(LEASE.dividedBy(2));
            assertThat(renew(lease)).isTrue();
        }
        assertThat(store.leases().take(0, "b", LEASE)).isEmpty();
    }

    @Test
    void aReleasedLaneIsFreeAtOnce() {
        Lease lease = take("a");
        store.leases().release(List.of(new Renewal(lease, Optional.empty())));

        assertThat(store.leases().lanes().get(0).isOwned()).isFalse();
        assertThat(take("b").epoch()).isGreaterThan(lease.epoch());
        store.leases().release(List.of(new Renewal(lease, Optional.empty())));
        assertThat(store.leases().lanes().get(0).owner()).contains("b");
    }

    @Test
    void nobodyOwnsTheLaneWithoutLeadership() {
        Lease lease = take("a");
        isLeader.set(false);

        assertThat(renew(lease)).isFalse();
        clock.advance(LEASE);
        assertThat(store.leases().take(0, "b", LEASE)).isEmpty();
    }

    @Test
    void aFormerOwnerCanRecordNothing() {
        Lease old = take("a");
        clock.advance(LEASE);
        take("b");

        assertThatThrownBy(() -> store.forRelay(Ordering.PER_KEY).settle(old, List.of()))
                .isInstanceOf(LeaseLostException.class);
    }

    /** It does not know what the owner has, which may be in flight. */
    @Test
    void aRelayThatOwnsNoLaneTakesNothingBack() {
        source.add(new Event("a1", "a", 1));
        LaneScan scan = store.forRelay(Ordering.PER_KEY).openScan();
        OutboxRow handed = scan.fetch(fetchOf(Set.of(0))).rows().get(0);
        assertThat(scan.fetch(fetchOf(Set.of())).rows()).isEmpty();

        RowOutcome delivered = RowOutcome.hot(handed.ref(), new RowOutcome.Delivered());
        store.forRelay(Ordering.PER_KEY).settle(take("a"), List.of(delivered));
        assertThat(source.events()).isEmpty();
    }

    private static FetchRequest fetchOf(Set<Integer> lanes) {
        KnownRows nothing = new KnownRows() {
            @Override
            public boolean contains(int lane, long seq) {
                return false;
            }

            @Override
            public long[] seqs(int lane) {
                return new long[0];
            }
        };
        return new FetchRequest(lanes, nothing, Set.of(), 10, 1_000);
    }

    @Test
    void membersAreCountedUntilTheyFallSilentOrLeave() {
        assertThat(store.leases().heartbeat("a", LEASE)).isOne();
        assertThat(store.leases().heartbeat("b", LEASE)).isEqualTo(2);
        store.leases().leave("a");
        assertThat(store.leases().heartbeat("b", LEASE)).isOne();

        store.leases().heartbeat("c", LEASE);
        clock.advance(LEASE.plusNanos(1));
        assertThat(store.leases().heartbeat("b", LEASE)).isOne();
    }

    @Test
    void aTaskHasOneRunner() {
        assertThat(store.maintenance().takeTask("cleanup", "a", LEASE)).isTrue();
        assertThat(store.maintenance().takeTask("cleanup", "b", LEASE)).isFalse();
        store.maintenance().releaseTask("cleanup", "b");
        assertThat(store.maintenance().takeTask("cleanup", "b", LEASE)).isFalse();

        clock.advance(LEASE);
        assertThat(store.maintenance().takeTask("cleanup", "b", LEASE)).isTrue();
        store.maintenance().releaseTask("cleanup", "b");
        assertThat(store.maintenance().takeTask("cleanup", "a", LEASE)).isTrue();
        assertThat(store.maintenance().deleteSent(LEASE, 1)).isZero();
        assertThat(store.maintenance().deleteDedupKeys(LEASE, 1)).isZero();
        assertThat(store.maintenance().partitions()).isEmpty();
    }

    private Lease take(String owner) {
        return store.leases().take(0, owner, LEASE).orElseThrow().lease();
    }

    private boolean renew(Lease lease) {
        return store.leases()
                .renew(List.of(new Renewal(lease, Optional.empty())), LEASE)
                .contains(0);
    }
}
