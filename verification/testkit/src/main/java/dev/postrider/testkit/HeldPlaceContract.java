package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.HeldMessages.DueRequest;
import dev.postrider.spi.HeldMessages.DueRows;
import dev.postrider.spi.HeldMessages.Place;
import dev.postrider.spi.HeldReport;
import dev.postrider.spi.HeldReport.Waiting;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Held messages that wait for a place of their destination: they are passed over while it is closed, and can be listed. */
interface HeldPlaceContract extends ContractPart {

    String MAIL = "mail";
    String PAPER = "paper";

    /** With characters that mean something to a pattern or to SQL. */
    String NO_QUEUE = HeldReport.WAITS + "no queue for 'a_%\\'; bind one \u00fc";

    @Test
    default void passesOverLinesThatBeginWithAnExcludedTopic() {
        OutboxMessage closed = StoreDriver.builder("closed").key("a").build();
        OutboxMessage behind = StoreDriver.builder("open").key("a").build();
        OutboxMessage first = StoreDriver.builder("open").key("b").build();
        OutboxMessage next = StoreDriver.builder("closed").key("b").build();
        OutboxMessage elsewhere = StoreDriver.builder("closed").key("c").build();
        driver().commit(closed, behind, first, next, elsewhere);
        driver().hold(closed, MAIL, Duration.ZERO);
        driver().holdBehind(behind, MAIL);
        driver().hold(first, MAIL, Duration.ZERO);
        driver().holdBehind(next, MAIL);
        driver().hold(elsewhere, PAPER, Duration.ZERO);

        DueRows due = due(
                Optional.empty(),
                new Place(MAIL, "closed", Optional.empty()),
                new Place("third", "open", Optional.empty()));

        assertThat(StoreDriver.ids(due.rows()))
                .containsExactlyInAnyOrderElementsOf(StoreDriver.idsOf(List.of(first, next, elsewhere)));
        assertThat(due.nextDueIn()).isEmpty();
    }

    @Test
    default void passesOverThoseThatFoundAPlaceClosedAndNoOthersOfTheirTopic() {
        OutboxMessage closed = waiting("a", 0, NO_QUEUE);
        OutboxMessage attempted = waiting("b", 2, NO_QUEUE);
        OutboxMessage another = waiting("c", 0, NO_QUEUE.replace('a', 'A'));
        OutboxMessage failed = waiting("d", 1, "failed");
        OutboxMessage behind = StoreDriver.builder("orders").key("e").build();
        driver().commit(behind);
        driver().holdBehind(behind, MAIL);

        DueRows due = due(Optional.empty(), new Place(MAIL, closed.topic(), Optional.of(NO_QUEUE)));

        assertThat(StoreDriver.ids(due.rows()))
                .containsExactlyInAnyOrderElementsOf(StoreDriver.idsOf(List.of(another, failed, behind)))
                .doesNotContain(attempted.id());
        assertThat(due.nextDueIn()).isEmpty();
        assertThat(due(Optional.empty()).rows())
                .filteredOn(row -> row.error().equals(NO_QUEUE))
                .extracting(OutboxRow::id)
                .containsExactlyInAnyOrder(closed.id(), attempted.id());
    }

    @Test
    default void doesNotPassOverMessagesOfACertainAge() {
        OutboxMessage closed = waiting("a", 0, NO_QUEUE);
        Place place = new Place(MAIL, closed.topic(), Optional.of(NO_QUEUE));
        Place topic = new Place(MAIL, closed.topic(), Optional.empty());

        assertThat(due(Optional.of(Duration.ofHours(1)), place, topic).rows()).isEmpty();
        assertThat(StoreDriver.ids(due(Optional.of(Duration.ZERO), place, topic).rows()))
                .containsExactly(closed.id());
    }

    @Test
    default void listsWhatWaitsByDestinationAndTopicWhateverItsAttempts() {
        waiting("a", 0, NO_QUEUE);
        waiting("b", 3, NO_QUEUE);
        waiting("c", 0, "no attempt of an older version");
        waiting("d", 1, "failed");
        List<OutboxMessage> attempted = driver().commitOfKey("e", 2);
        driver().hold(attempted.get(0), MAIL, Duration.ofHours(1));
        driver().holdBehind(attempted.get(1), MAIL);

        assertThat(driver().store().heldReport(0).waiting()).singleElement().satisfies(waiting -> {
            assertThat(waiting)
                    .extracting(Waiting::destination, Waiting::topic, Waiting::messages)
                    .containsExactly(MAIL, "orders", 3L);
            assertThat(NO_QUEUE + "no attempt of an older version").contains(waiting.error());
            assertThat(waiting.error()).doesNotStartWith(HeldReport.WAITS);
            assertThat(waiting.since()).isPresent();
        });
    }

    private OutboxMessage waiting(String key, int attempts, String error) {
        OutboxMessage message = StoreDriver.builder("orders").key(key).build();
        driver().commit(message);
        driver().apply(RowOutcome.hot(
                driver().ref(message), new RowOutcome.RetryLater(MAIL, attempts, error, Duration.ZERO)));
        return message;
    }

    private DueRows due(Optional<Duration> untilAge, Place... excluded) {
        return driver().relayStore()
                .held()
                .fetchDue(new DueRequest(
                        driver().allLanes(),
                        StoreDriver.NOTHING_KNOWN,
                        Set.of(),
                        Set.of(excluded),
                        untilAge,
                        10,
                        1_000,
                        10));
    }
}
