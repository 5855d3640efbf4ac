package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Due;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RelayStore.Released;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Delayed messages: they enter the hot table when they are due, by their due times. */
interface DelayedContract extends ContractPart {

    private Released release(int limit) {
        return driver().relayStore().releaseDelayed(driver().allLanes(), limit);
    }

    private OutboxMessage delayed(Duration delay) {
        return StoreDriver.builder("t")
                .key("a")
                .header("h", "v")
                .payload(StoreDriver.bytes("x"))
                .deliverAfter(delay)
                .build();
    }

    private Instant storeTime() {
        return driver().scan().fetch(driver().request()).databaseTime();
    }

    @Test
    default void releasesNothingWhenThereIsNothing() {
        assertThat(release(10).count()).isZero();
        assertThat(release(10).nextDueIn()).isEmpty();
        assertThat(driver().relayStore().releaseDelayed(Set.of(), 10).count()).isZero();
    }

    @Test
    default void releasesAMessageWhenItIsDueAndNotBefore() {
        Duration delay = driver().fixture().shortTime();
        OutboxMessage message = delayed(delay);
        assertThat(driver().commit(message)).containsExactly(message);

        Released before = release(10);
        assertThat(before.count()).isZero();
        assertThat(before.nextDueIn().orElseThrow()).isPositive().isLessThanOrEqualTo(delay);
        assertThat(driver().hotRows()).isEmpty();

        driver().fixture().letPass(delay);
        Released after = release(10);
        assertThat(after.count()).isEqualTo(1);
        assertThat(after.nextDueIn()).isEmpty();
        OutboxMessage released = ((OutboxRow.Hot) driver().hotRow(message)).message();
        assertThat(released.key()).contains("a");
        assertThat(released.headers()).isEqualTo(message.headers());
        assertThat(released.payload()).isEqualTo(message.payload());
        assertThat(released.due()).isEqualTo(Due.NOW);
    }

    @Test
    default void releasesByDueTimeInSmallSteps() {
        Instant now = storeTime();
        OutboxMessage third = at(now.minusSeconds(1));
        OutboxMessage first = at(now.minusSeconds(30));
        OutboxMessage second = at(now.minusSeconds(20));
        driver().commit(third, first, second);

        Released step = release(2);
        assertThat(step.count()).isEqualTo(2);
        assertThat(step.nextDueIn()).contains(Duration.ZERO);
        assertThat(driver().hotIds()).containsExactly(first.id(), second.id());

        assertThat(release(2).count()).isEqualTo(1);
        assertThat(driver().hotIds()).containsExactly(first.id(), second.id(), third.id());
    }

    private OutboxMessage at(Instant instant) {
        return StoreDriver.builder("t").key("a").deliverAt(instant).build();
    }

    @Test
    default void releasesEachMessageOnceToRelaysThatAskAtOnce() {
        Instant now = storeTime();
        List<OutboxMessage> messages = IntStream.range(0, 40)
                .mapToObj(i -> at(now.minusSeconds(100 - i)))
                .toList();
        driver().commit(messages.toArray(OutboxMessage[]::new));

        List<CompletableFuture<Released>> relays = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> release(30)))
                .toList();
        int released = relays.stream().mapToInt(relay -> relay.join().count()).sum()
                + release(100).count();

        assertThat(released).isEqualTo(40);
        assertThat(driver().hotIds()).containsExactlyInAnyOrderElementsOf(StoreDriver.idsOf(messages));
    }

    @Test
    default void releasesOnlyMessagesOfTheLanesAskedFor() {
        OutboxMessage message = StoreDriver.builder("t")
                .key(driver().keyInLane(2, 0))
                .deliverAt(storeTime().minusSeconds(1))
                .build();
        driver().commit(message);

        Released others = driver().relayStore().releaseDelayed(Set.of(0, 1, 3), 10);
        Released own = driver().relayStore().releaseDelayed(Set.of(2), 10);

        assertThat(others.count()).isZero();
        assertThat(others.nextDueIn()).isEmpty();
        assertThat(own.count()).isEqualTo(1);
    }

    @Test
    default void acceptsAnyDueTimeThatAMessageMayHave() {
        OutboxMessage longAgo = at(Instant.EPOCH);
        OutboxMessage atTheEnd = at(Instant.parse("9999-12-31T00:00:00Z"));
        OutboxMessage never = delayed(Duration.ofDays(3_650));
        driver().commit(longAgo, atTheEnd, never);

        assertThat(release(10).count()).isEqualTo(1);
        assertThat(driver().hotIds()).containsExactly(longAgo.id());
    }

    @Test
    default void holdsBackNothingElseOfItsKey() {
        OutboxMessage now = StoreDriver.message("a");

        driver().commit(delayed(Duration.ofHours(1)), now);

        assertThat(driver().hotIds()).containsExactly(now.id());
    }

    @Test
    default void forgetsDelayedMessagesThatWereRolledBack() {
        var connection = driver().begin();
        driver().insert(connection, at(storeTime().minusSeconds(1)));
        StoreDriver.rollback(connection);

        assertThat(release(10).count()).isZero();
    }
}
