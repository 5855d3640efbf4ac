package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.LaneLeases;
import dev.postrider.spi.LaneLeases.LaneState;
import dev.postrider.spi.LaneLeases.Renewal;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Leases: one owner for each lane, by the store's clock, with an epoch that grows. */
interface LeaseContract extends ContractPart {

    private LaneLeases leases() {
        return driver().store().leases();
    }

    private Lease take(int lane, String owner) {
        return leases().take(lane, owner, StoreDriver.LONG).orElseThrow().lease();
    }

    private static Renewal renewal(Lease lease) {
        return new Renewal(lease, Optional.empty());
    }

    @Test
    default void startsWithFreeLanes() {
        List<LaneState> lanes = leases().lanes();

        assertThat(lanes).extracting(LaneState::lane).containsExactly(0, 1, 2, 3);
        assertThat(lanes).noneMatch(LaneState::isOwned);
    }

    @Test
    default void givesAFreeLaneToWhoeverTakesIt() {
        Lease lease = take(2, "a");

        LaneState state = leases().lanes().get(2);
        assertThat(lease.lane()).isEqualTo(2);
        assertThat(lease.owner()).isEqualTo("a");
        assertThat(state.owner()).contains("a");
        assertThat(state.epoch()).isEqualTo(lease.epoch());
        assertThat(state.isOwned()).isTrue();
        assertThat(state.remaining()).isBetween(Duration.ofMinutes(9), StoreDriver.LONG);
    }

    @Test
    default void refusesALaneThatSomebodyElseHolds() {
        take(0, "a");

        assertThat(leases().take(0, "b", StoreDriver.LONG)).isEmpty();
    }

    @Test
    default void givesAFreeLaneToOneOfManyWhoTakeItAtOnce() {
        LaneLeases leases = leases();
        List<CompletableFuture<Optional<TakenLane>>> takers = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> leases.take(0, "relay-" + i, StoreDriver.LONG)))
                .toList();

        assertThat(takers.stream().map(CompletableFuture::join).filter(Optional::isPresent))
                .hasSize(1);
    }

    @Test
    default void givesALaneAnewToItsOwnerAtAHigherEpoch() {
        Lease first = take(0, "a");

        Lease second = take(0, "a");

        assertThat(second.epoch()).isGreaterThan(first.epoch());
        assertThat(leases().renew(List.of(renewal(first)), StoreDriver.LONG)).isEmpty();
    }

    @Test
    default void givesAnExpiredLaneToTheNextAtAHigherEpoch() {
        Duration shortTime = driver().fixture().shortTime();
        Lease first = leases().take(0, "a", shortTime).orElseThrow().lease();
        assertThat(leases().take(0, "b", shortTime)).isEmpty();

        driver().fixture().letPass(shortTime);

        assertThat(leases().lanes().get(0).isOwned()).isFalse();
        assertThat(take(0, "b").epoch()).isGreaterThan(first.epoch());
    }

    @Test
    default void prolongsALease() {
        Duration shortTime = driver().fixture().shortTime();
        Lease lease = leases().take(0, "a", shortTime).orElseThrow().lease();

        assertThat(leases().renew(List.of(renewal(lease)), StoreDriver.LONG)).containsExactly(0);

        driver().fixture().letPass(shortTime);
        assertThat(leases().take(0, "b", shortTime)).isEmpty();
    }

    @Test
    default void prolongsAnExpiredLeaseThatNobodyHasTaken() {
        Duration shortTime = driver().fixture().shortTime();
        Lease lease = leases().take(0, "a", shortTime).orElseThrow().lease();
        driver().fixture().letPass(shortTime);

        assertThat(leases().renew(List.of(renewal(lease)), StoreDriver.LONG)).containsExactly(0);
        assertThat(leases().take(0, "b", shortTime)).isEmpty();
    }

    @Test
    default void reportsOnlyTheLeasesThatItProlonged() {
        Lease mine = take(0, "a");
        Lease lost = take(1, "a");
        leases().release(List.of(renewal(lost)));
        take(1, "b");
        Lease neverMine = new Lease(2, "a", 7);

        assertThat(leases().renew(List.of(renewal(lost), renewal(neverMine), renewal(mine)), StoreDriver.LONG))
                .containsExactly(0);
        assertThat(leases().lanes().get(1).owner()).contains("b");
        assertThat(leases().lanes().get(2).owner()).isEmpty();
    }

    @Test
    default void prolongsNothingForNoLeases() {
        assertThat(leases().renew(List.of(), StoreDriver.LONG)).isEmpty();
        leases().release(List.of());
    }

    @Test
    default void freesALaneAtOnceWhenItIsReleased() {
        Lease first = take(0, "a");

        leases().release(List.of(renewal(first)));

        assertThat(leases().lanes().get(0).owner()).isEmpty();
        assertThat(take(0, "b").epoch()).isGreaterThan(first.epoch());
    }

    @Test
    default void ignoresAReleaseByAFormerOwner() {
        Lease former = take(0, "a");
        leases().release(List.of(renewal(former)));
        take(0, "b");

        leases().release(List.of(renewal(former)));

        assertThat(leases().lanes().get(0).owner()).contains("b");
    }

    @Test
    default void handsTheSavedPositionToTheNextOwner() {
        TakenLane first = leases().take(0, "a", StoreDriver.LONG).orElseThrow();
        assertThat(first.savedPosition()).isEmpty();
        leases().renew(List.of(new Renewal(first.lease(), Optional.of("seen: 1"))), StoreDriver.LONG);
        assertThat(take(0, "a").epoch()).isGreaterThan(first.lease().epoch());

        TakenLane second = leases().take(0, "a", StoreDriver.LONG).orElseThrow();
        assertThat(second.savedPosition()).contains("seen: 1");
        leases().release(List.of(new Renewal(second.lease(), Optional.of("seen: 2"))));

        assertThat(leases().take(0, "b", StoreDriver.LONG).orElseThrow().savedPosition())
                .contains("seen: 2");
    }

    @Test
    default void countsLivingMembers() {
        assertThat(leases().heartbeat("a", StoreDriver.LONG)).isEqualTo(1);
        assertThat(leases().heartbeat("b", StoreDriver.LONG)).isEqualTo(2);
        assertThat(leases().heartbeat("a", StoreDriver.LONG)).isEqualTo(2);

        leases().leave("b");

        assertThat(leases().heartbeat("a", StoreDriver.LONG)).isEqualTo(1);
    }

    @Test
    default void forgetsMembersThatAreSilentForTooLong() {
        Duration shortTime = driver().fixture().shortTime();
        leases().heartbeat("a", shortTime);

        driver().fixture().letPass(shortTime.plusMillis(1));

        assertThat(leases().heartbeat("b", shortTime)).isEqualTo(1);
    }
}
