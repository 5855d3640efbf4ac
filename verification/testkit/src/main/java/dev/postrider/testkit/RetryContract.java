package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Retries of dead letters: operators ask, the owner of the lane puts them back ahead of the rest of their key. */
interface RetryContract extends ContractPart {

    private int requestAll() {
        return driver().store().deadLetters().requestRetry(DeadLetterFilter.all(), 1_000, "ann");
    }

    private int adopt(RowRef ref, Ordering ordering, int limit) {
        int adopted = driver().relayStore(ordering).held().adoptRetries(driver().lease(ref), limit);
        driver().assignAll(ref.lane(), ordering, StoreDriver.BROKER);
        return adopted;
    }

    @Test
    default void movesNothingUntilTheOwnerActs() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().bury(message);
        assertThat(requestAll()).isEqualTo(1);

        assertThat(driver().deadLetter(message).retryRequested()).isTrue();
        assertThat(driver().dueIds()).isEmpty();
        assertThat(driver().relayStore().held().lanesWithRetries(driver().allLanes()))
                .contains(ref.lane());
    }

    @Test
    default void putsARequestedLetterBackWithNewAttempts() {
        OutboxMessage message = driver().commitOfKey("a", 1).get(0);
        RowRef ref = driver().bury(message);
        requestAll();

        assertThat(adopt(ref, Ordering.PER_KEY, 10)).isEqualTo(1);

        OutboxRow.Held held = driver().fetchDue(Ordering.PER_KEY, 0).rows().get(0);
        assertThat(held.ref()).isEqualTo(ref);
        assertThat(held.attempts()).isZero();
        assertThat(held.message().payload()).isEqualTo(message.payload());
        assertThat(driver().deadIds()).isEmpty();
    }

    /** What a trace has kept with a message stays as it is, however often the message is tried. */
    @Test
    default void keepsTheTraceOfAMessage() {
        Headers trace = Headers.none()
                .with(Headers.TRACE_PARENT, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
                .with("tracestate", "vendor=opaque,other=1")
                .with("baggage", "tenant=blue");
        OutboxMessage.Builder builder = StoreDriver.builder("orders").key("a");
        trace.asMap().forEach(builder::header);
        OutboxMessage message = builder.build();
        driver().commit(message);

        RowRef ref = driver().hold(message, Duration.ZERO);
        assertThat(dueHeaders()).isEqualTo(trace);
        driver().apply(RowOutcome.held(ref, new RowOutcome.RetryLater(StoreDriver.BROKER, 2, "failed", Duration.ZERO)));
        assertThat(dueHeaders()).isEqualTo(trace);
        driver().apply(RowOutcome.held(ref, new RowOutcome.Dead(DeadReason.ATTEMPTS_EXHAUSTED, 3, "failed")));
        assertThat(driver().deadLetter(message).message().headers()).isEqualTo(trace);
        requestAll();
        adopt(ref, Ordering.PER_KEY, 10);
        assertThat(dueHeaders()).isEqualTo(trace);
    }

    private Headers dueHeaders() {
        return driver().fetchDue(Ordering.PER_KEY, 0).rows().get(0).message().headers();
    }

    @Test
    default void leavesLettersThatNobodyRequested() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        RowRef ref = driver().bury(messages.get(0));
        driver().bury(messages.get(1));
        driver().store()
                .deadLetters()
                .requestRetry(DeadLetterFilter.byId(messages.get(1).id()), 10, "ann");

        assertThat(adopt(ref, Ordering.PER_KEY, 10)).isEqualTo(1);

        assertThat(driver().dueIds()).containsExactly(messages.get(1).id());
        assertThat(driver().deadIds()).containsExactly(messages.get(0).id());
    }

    @Test
    default void putsRequestedLettersAheadOfTheRestOfTheirKey() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 4);
        RowRef ref = driver().bury(messages.get(0));
        driver().bury(messages.get(1));
        driver().hold(messages.get(2), Duration.ZERO);
        driver().holdBehind(messages.get(3));
        requestAll();

        adopt(ref, Ordering.PER_KEY, 10);

        assertThat(driver().dueIds()).containsExactly(messages.get(0).id());
        assertThat(driver().dueIdsWithFollowers()).isEqualTo(StoreDriver.idsOf(messages));
    }

    @Test
    default void putsLettersBackInOrderInSmallSteps() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 3);
        List<RowRef> refs = messages.stream().map(driver()::bury).toList();
        requestAll();

        assertThat(adopt(refs.get(0), Ordering.PER_KEY, 2)).isEqualTo(2);
        assertThat(driver().dueIdsWithFollowers()).isEqualTo(StoreDriver.idsOf(messages.subList(0, 2)));

        assertThat(adopt(refs.get(0), Ordering.PER_KEY, 2)).isEqualTo(1);
        assertThat(adopt(refs.get(0), Ordering.PER_KEY, 2)).isZero();
        assertThat(driver().dueIdsWithFollowers()).isEqualTo(StoreDriver.idsOf(messages));
    }

    @Test
    default void putsLettersBackWithoutOrder() {
        List<OutboxMessage> messages = driver().commitOfKey("a", 2);
        List<RowRef> refs = messages.stream().map(driver()::bury).toList();
        requestAll();

        adopt(refs.get(0), Ordering.NONE, 10);

        assertThat(StoreDriver.ids(driver().fetchDue(Ordering.NONE, 0).rows()))
                .containsExactlyInAnyOrderElementsOf(StoreDriver.idsOf(messages));
    }
}
