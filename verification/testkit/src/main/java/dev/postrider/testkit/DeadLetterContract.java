package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.postrider.message.MessageId;
import dev.postrider.message.MessageIdGenerator;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import dev.postrider.testkit.StoreFixture.OperationRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Dead letters as operators see them. */
interface DeadLetterContract extends ContractPart {

    private DeadLetters letters() {
        return driver().store().deadLetters();
    }

    private List<MessageId> matching(DeadLetterFilter filter) {
        return letters().list(filter, Optional.empty(), 100).stream()
                .map(letter -> letter.ref().id())
                .toList();
    }

    private OutboxMessage dead(OutboxMessage message, DeadReason reason) {
        driver().commit(message);
        driver().apply(RowOutcome.hot(driver().ref(message), new RowOutcome.Dead(reason, 1, "refused")));
        return message;
    }

    @Test
    default void findsALetterById() {
        OutboxMessage message = dead(StoreDriver.message("a"), DeadReason.REJECTED);

        assertThat(letters().find(message.id()).orElseThrow().message().topic()).isEqualTo("orders");
        assertThat(letters().find(MessageIdGenerator.uuidV7().next())).isEmpty();
    }

    @Test
    default void filtersByEveryField() {
        OutboxMessage one =
                dead(OutboxMessage.builder("orders").type("placed").key("a").build(), DeadReason.REJECTED);
        OutboxMessage two =
                dead(OutboxMessage.builder("payments").type("paid").key("b").build(), DeadReason.ATTEMPTS_EXHAUSTED);
        DeadLetterFilter all = DeadLetterFilter.all();

        assertThat(matching(all)).containsExactlyInAnyOrder(one.id(), two.id());
        assertThat(matching(DeadLetterFilter.byId(two.id()))).containsExactly(two.id());
        assertThat(matching(all.withTopic("orders"))).containsExactly(one.id());
        assertThat(matching(all.withType("paid"))).containsExactly(two.id());
        assertThat(matching(all.withKey("a"))).containsExactly(one.id());
        assertThat(matching(all.withReason(DeadReason.ATTEMPTS_EXHAUSTED))).containsExactly(two.id());
        assertThat(matching(all.withTopic("orders").withKey("b"))).isEmpty();
    }

    @Test
    default void filtersByWhatTheErrorContains() {
        OutboxMessage one = dead(StoreDriver.message("a"), DeadReason.REJECTED);
        String error = driver().deadLetter(one).error();

        assertThat(matching(DeadLetterFilter.all().withError(error.toUpperCase(Locale.ROOT))))
                .containsExactly(one.id());
        assertThat(matching(DeadLetterFilter.all().withError(error.substring(1))))
                .containsExactly(one.id());
        assertThat(matching(DeadLetterFilter.all().withError("_" + error.substring(1))))
                .isEmpty();
        assertThat(matching(DeadLetterFilter.all().withError("%"))).isEmpty();
    }

    @Test
    default void filtersByTimeOfDeath() {
        OutboxMessage one = dead(StoreDriver.message("a"), DeadReason.REJECTED);
        driver().fixture().letPass(Duration.ofMillis(5));
        OutboxMessage two = dead(StoreDriver.message("a"), DeadReason.REJECTED);
        Instant deathOfOne = driver().deadLetter(one).diedAt();
        Instant deathOfTwo = driver().deadLetter(two).diedAt();
        DeadLetterFilter all = DeadLetterFilter.all();

        assertThat(matching(all.withDiedAfter(deathOfOne))).containsExactly(two.id());
        assertThat(matching(all.withDiedBefore(deathOfTwo))).containsExactly(one.id());
        assertThat(matching(all.withDiedAfter(Instant.MIN).withDiedBefore(Instant.MAX)))
                .containsExactlyInAnyOrder(one.id(), two.id());
    }

    @Test
    default void listsByLaneAndSeqPageByPage() {
        for (int i = 0; i < 11; i++) {
            dead(StoreDriver.message("key-" + i), DeadReason.REJECTED);
        }
        List<RowRef> refs = new ArrayList<>();
        Optional<DeadLetter> last = Optional.empty();
        for (int page = 0; page < 5; page++) {
            List<DeadLetter> letters = letters().list(DeadLetterFilter.all(), last, 3);
            letters.forEach(letter -> refs.add(letter.ref()));
            last = letters.isEmpty() ? last : Optional.of(letters.get(letters.size() - 1));
        }

        assertThat(refs)
                .hasSize(11)
                .isSortedAccordingTo(Comparator.comparingInt(RowRef::lane).thenComparingLong(RowRef::seq));
    }

    @Test
    default void countsByReasonUpToABound() {
        assertThat(letters().countByReason(100)).isEmpty();
        dead(StoreDriver.message("a"), DeadReason.REJECTED);
        dead(StoreDriver.message("b"), DeadReason.REJECTED);
        dead(StoreDriver.message("c"), DeadReason.ATTEMPTS_EXHAUSTED);

        assertThat(letters().countByReason(100))
                .containsOnly(entry(DeadReason.REJECTED, 2L), entry(DeadReason.ATTEMPTS_EXHAUSTED, 1L));
        assertThat(letters().countByReason(2).values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(2);
    }

    @Test
    default void countsUpToABound() {
        for (int i = 0; i < 5; i++) {
            dead(StoreDriver.message("a"), DeadReason.REJECTED);
        }

        assertThat(letters().count(DeadLetterFilter.all(), 100)).isEqualTo(5);
        assertThat(letters().count(DeadLetterFilter.all(), 3)).isEqualTo(3);
        assertThat(letters().count(DeadLetterFilter.all().withTopic("none"), 100))
                .isZero();
    }

    @Test
    default void requestsEachRetryOnceUpToTheLimit() {
        for (int i = 0; i < 5; i++) {
            dead(StoreDriver.message("a"), DeadReason.REJECTED);
        }

        assertThat(letters().requestRetry(DeadLetterFilter.all(), 3, "ann")).isEqualTo(3);
        assertThat(letters().requestRetry(DeadLetterFilter.all(), 3, "ann")).isEqualTo(2);
        assertThat(letters().requestRetry(DeadLetterFilter.all(), 3, "ann")).isZero();
        assertThat(driver().deadLetters()).allMatch(DeadLetter::retryRequested);
    }

    @Test
    default void asksForRetriesOfExactlyTheLettersThatAreNamed() {
        for (int i = 0; i < 3; i++) {
            dead(StoreDriver.message("a"), DeadReason.REJECTED);
        }
        List<RowRef> known = letters().refs(DeadLetterFilter.all(), 2);
        OutboxMessage later = dead(StoreDriver.message("a"), DeadReason.REJECTED);

        assertThat(letters().requestRetry(DeadLetterFilter.all(), known, "ann")).isEqualTo(2);
        assertThat(letters().requestRetry(DeadLetterFilter.all(), known, "ann")).isZero();

        assertThat(driver().deadLetters().stream().filter(DeadLetter::retryRequested))
                .extracting(DeadLetter::ref)
                .containsExactlyElementsOf(known);
        assertThat(driver().deadLetter(later).retryRequested()).isFalse();
    }

    /** One that died since stays, also where it comes before those that are named. */
    @Test
    default void discardsExactlyTheLettersThatAreNamedAndStillMatch() {
        List<OutboxMessage> messages =
                List.of(StoreDriver.message("a"), StoreDriver.message("a"), StoreDriver.message("b"));
        driver().commit(messages.toArray(OutboxMessage[]::new));
        bury(messages.get(1));
        bury(messages.get(2));
        List<RowRef> known = letters().refs(DeadLetterFilter.all(), 10);
        bury(messages.get(0));

        assertThat(letters().discard(DeadLetterFilter.all().withKey("a"), known, "ann"))
                .isEqualTo(1);
        assertThat(letters().discard(DeadLetterFilter.all().withKey("a"), known, "ann"))
                .isZero();

        assertThat(driver().deadIds())
                .containsExactlyInAnyOrder(messages.get(0).id(), messages.get(2).id());
    }

    private void bury(OutboxMessage message) {
        driver().hotRows().stream()
                .filter(row -> row.id().equals(message.id()))
                .forEach(row -> driver().apply(
                                RowOutcome.hot(row.ref(), new RowOutcome.Dead(DeadReason.REJECTED, 1, "refused"))));
    }

    @Test
    default void discardsWhatMatchesUpToTheLimit() {
        for (int i = 0; i < 4; i++) {
            dead(StoreDriver.message("a"), DeadReason.REJECTED);
        }
        OutboxMessage other = dead(StoreDriver.message("b"), DeadReason.REJECTED);
        DeadLetterFilter ofA = DeadLetterFilter.all().withKey("a");

        assertThat(letters().discard(ofA, 3, "ann")).isEqualTo(3);
        assertThat(letters().discard(ofA, 3, "ann")).isEqualTo(1);
        assertThat(letters().discard(ofA, 3, "ann")).isZero();
        assertThat(driver().deadIds()).containsExactly(other.id());
    }

    @Test
    default void recordsWhoDidWhat() {
        OutboxMessage message = dead(StoreDriver.message("a"), DeadReason.REJECTED);

        letters().requestRetry(DeadLetterFilter.all().withTopic("orders"), 10, "ann");
        letters().discard(DeadLetterFilter.byId(message.id()), 10, "bob \"the\" 'builder' 😀");

        List<OperationRecord> operations = driver().fixture().operations();
        assertThat(operations).hasSize(2);
        assertThat(operations.get(0)).isEqualTo(new OperationRecord("ann", "retry", "topic=orders", 1));
        assertThat(operations.get(1))
                .isEqualTo(new OperationRecord("bob \"the\" 'builder' 😀", "discard", "id=" + message.id(), 1));
    }

    @Test
    default void handlesMoreLettersThanFitIntoOneStatement() {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < 1_200; i++) {
            messages.add(StoreDriver.message("a"));
        }
        driver().commit(messages.toArray(OutboxMessage[]::new));
        driver().apply(driver().hotRows().stream()
                .map(row -> RowOutcome.hot(row.ref(), new RowOutcome.Dead(DeadReason.REJECTED, 1, "refused")))
                .toArray(RowOutcome[]::new));

        assertThat(letters().requestRetry(DeadLetterFilter.all(), Integer.MAX_VALUE, "ann"))
                .isEqualTo(1_200);
        assertThat(letters().discard(DeadLetterFilter.all(), Integer.MAX_VALUE, "ann"))
                .isEqualTo(1_200);
        assertThat(driver().deadIds()).isEmpty();
    }
}
