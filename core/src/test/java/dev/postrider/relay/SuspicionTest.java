package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.Health;
import dev.postrider.spi.Ordering;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A destination that fails for every message, each time as if it were the message's own failure, is down. */
class SuspicionTest extends GateSteps {

    private final DestinationGate gate = gate();

    @Test
    void isSuspectedAfterFailuresOfFiveKeysInARow() {
        for (String key : List.of("a", "b", "c", "d")) {
            assertThat(fail(gate, key)).isEqualTo(Fate.ATTEMPT);
        }
        assertThat(gate.isClosed()).isFalse();

        assertThat(fail(gate, "e")).isEqualTo(Fate.STEPS_BACK);
        assertThat(gate.isClosed()).isTrue();
        assertThat(relay.events)
                .containsExactly("outage for PT1S: messages of 5 keys failed in a row; the last: broken");
    }

    @Test
    void isNotSuspectedForOneKeyHoweverOftenItFails() {
        for (int i = 0; i < 100; i++) {
            assertThat(fail(gate, "poison")).isEqualTo(Fate.ATTEMPT);
        }
        assertThat(gate.isClosed()).isFalse();
    }

    @Test
    void isNotSuspectedWhileOthersSucceed() {
        for (int i = 0; i < 100; i++) {
            assertThat(fail(gate, "key-" + i)).isEqualTo(Fate.ATTEMPT);
            if (i % 4 == 0) {
                tryEnter(gate);
                gate.succeeded();
            }
        }
        assertThat(gate.isClosed()).isFalse();
    }

    @Test
    void isNotSuspectedForWhatItRejects() {
        for (int i = 0; i < 100; i++) {
            tryEnter(gate);
            gate.left();
        }
        assertThat(gate.isClosed()).isFalse();
    }

    @Test
    void countsNoAttemptOfWhatWasInFlightWhenItWasSuspected() {
        tryEnter(gate);
        long before = gate.outages();
        suspect();

        assertThat(gate.failed("late", "broken", before)).isEqualTo(Fate.STEPS_BACK);
        assertThat(gate.outages()).isEqualTo(before + 1);
    }

    @Test
    void isTriedWithMoreAndMoreMessagesWhichStepBackUntilOneSucceeds() {
        suspect();
        for (int expected : List.of(2, 4, 8, 16)) {
            probeHealthy(gate);
            assertThat(enter(gate, 100)).isEqualTo(expected);
            long before = gate.outages();
            for (int i = 0; i < expected; i++) {
                assertThat(gate.failed("key-" + i, "broken", before)).isEqualTo(Fate.STEPS_BACK);
                assertThat(gate.isClosed()).isEqualTo(i == expected - 1);
            }
        }
        probeHealthy(gate);
        tryEnter(gate);
        gate.succeeded();

        assertThat(relay.events).endsWith("recovered");
        assertThat(fail(gate, "poison")).isEqualTo(Fate.ATTEMPT);
        assertThat(gate.isClosed()).isFalse();
    }

    @Test
    void isUpAgainWhenOneOfATrialSucceedsAfterAnotherHasFailed() {
        suspect();
        probeHealthy(gate);
        enter(gate, 2);
        gate.failed("bad", "broken", gate.outages());

        gate.succeeded();

        assertThat(gate.isClosed()).isFalse();
        assertThat(enter(gate, 50)).isEqualTo(50);
    }

    @Test
    void isUpAgainWhenOneSucceedsThatWasInFlightWhenItWasSuspected() {
        tryEnter(gate);
        suspect();
        long before = gate.reopenings();

        gate.succeeded();

        assertThat(gate.isClosed()).isFalse();
        assertThat(gate.reopenings()).isEqualTo(before + 1);
    }

    @Test
    void endsATrialAlsoWhenItsLastMessageIsRejected() {
        suspect();
        probeHealthy(gate);
        enter(gate, 2);
        gate.failed("bad", "broken", gate.outages());

        gate.left();

        assertThat(gate.isClosed()).isTrue();
    }

    @Test
    void leavesATurnToMessagesThatWereNotTriedHoweverManyHaveFailed() {
        suspect();
        assertThat(gate.stepBack()).isEqualTo(gate.retryIn().multipliedBy(2));
        for (int trial = 0; trial < 5; trial++) {
            probeHealthy(gate);
            int tried = enter(gate, 100);
            for (int i = 0; i < tried; i++) {
                gate.failed("key-" + i, "broken", gate.outages());
            }
        }

        // 62 have failed: when each waits for that many trials, at least one turn is left in each.
        assertThat(gate.stepBack()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void isNeverSuspectedInGlobalOrderWhereOnlyOneMessageCanBeTried() {
        DestinationGate global = new DestinationGate(destination, relay.context(Ordering.GLOBAL));
        for (int i = 0; i < 100; i++) {
            assertThat(fail(global, "key-" + i)).isEqualTo(Fate.ATTEMPT);
        }
        assertThat(global.isClosed()).isFalse();
    }

    @Test
    void letsAMessageStepBackAlsoWhenAnOutageIsAllThatCanBeSeen() {
        destination.health = Health.UNKNOWN;
        recover(gate);
        tryEnter(gate);

        assertThat(gate.dropped(newId(), "refused", gate.outages())).isEqualTo(Fate.STEPS_BACK);
    }

    private void suspect() {
        for (int i = 0; i < 5; i++) {
            fail(gate, "key-" + i);
        }
    }
}
