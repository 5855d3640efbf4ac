package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.relay.RelayFixture.ScriptedDestination;
import dev.postrider.spi.Health;
import dev.postrider.spi.Ordering;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DestinationGateTest {

    private final RelayFixture relay = new RelayFixture();
    private final ScriptedDestination destination = new ScriptedDestination();

    @Nested
    class WhileOpen {

        private final DestinationGate gate = gate();

        @Test
        void letsMessagesInUpToTheDestinationsLimit() {
            destination.maxInFlight = 3;
            DestinationGate narrow = gate();

            assertThat(enter(narrow, 5)).isEqualTo(3);
            narrow.succeeded();
            assertThat(enter(narrow, 5)).isEqualTo(1);
            narrow.left();
            assertThat(enter(narrow, 5)).isEqualTo(1);
        }

        @Test
        void wakesWorkersForRoomOnlyIfOneWasRefused() {
            destination.maxInFlight = 1;
            DestinationGate narrow = gate();
            AtomicInteger wakeUps = watch(narrow);
            narrow.tryEnter();
            narrow.succeeded();
            assertThat(wakeUps).hasValue(0);

            narrow.tryEnter();
            assertThat(narrow.tryEnter()).isFalse();
            narrow.left();
            assertThat(wakeUps).hasValue(1);
        }

        @Test
        void isNeverProbed() {
            gate.probeIfDue();

            assertThat(destination.checks).isZero();
            assertThat(gate.isClosed()).isFalse();
        }

        @Test
        void staysOpenWhenSingleMessagesFail() {
            enter(gate, 3);
            gate.left();
            gate.left();

            assertThat(gate.isClosed()).isFalse();
            assertThat(enter(gate, 50)).isEqualTo(50);
        }
    }

    @Nested
    class InAnOutage {

        private final DestinationGate gate = gate();
        private final AtomicInteger wakeUps = watch(gate);

        @Test
        void closesAndReportsItOnceHoweverManyMessagesFail() {
            enter(gate, 3);

            assertThat(drop(gate)).isFalse();
            assertThat(drop(gate)).isFalse();
            assertThat(drop(gate)).isFalse();

            assertThat(gate.isClosed()).isTrue();
            assertThat(gate.tryEnter()).isFalse();
            assertThat(relay.events).containsExactly("outage for PT1S: reset");
            assertThat(wakeUps).hasValue(1);
        }

        @Test
        void tellsHowItStands() {
            assertThat(gate.state()).isEqualTo(DestinationState.UP);
            goDown(gate);
            assertThat(gate.state()).isEqualTo(DestinationState.DOWN);
            gate.setPaused(true);
            assertThat(gate.state()).isEqualTo(DestinationState.PAUSED);
            gate.setPaused(false);
            assertThat(gate.state()).isEqualTo(DestinationState.DOWN);
            relay.advance(Duration.ofSeconds(1));
            gate.probeIfDue();
            assertThat(gate.state()).isEqualTo(DestinationState.TRYING);
            gate.tryEnter();
            gate.succeeded();
            assertThat(gate.state()).isEqualTo(DestinationState.UP);
        }

        @Test
        void isProbedOnlyAfterTheBackoff() {
            goDown(gate);
            relay.advance(Duration.ofMillis(999));
            gate.probeIfDue();
            assertThat(destination.checks).isZero();

            relay.advance(Duration.ofMillis(1));
            gate.probeIfDue();
            assertThat(destination.checks).isEqualTo(1);
        }

        @Test
        void waitsLongerAfterEachUnhealthyProbe() {
            destination.health = Health.down("still restarting");
            goDown(gate);
            for (int seconds = 1; seconds <= 4; seconds++) {
                relay.advance(Duration.ofSeconds(seconds).minusMillis(1));
                gate.probeIfDue();
                assertThat(destination.checks).isEqualTo(seconds - 1);
                relay.advance(Duration.ofMillis(1));
                gate.probeIfDue();
                assertThat(destination.checks).isEqualTo(seconds);
            }
            assertThat(gate.isClosed()).isTrue();
        }

        @Test
        void takesAFailingCheckForUnhealthy() {
            destination.failure = new IllegalStateException("no connection");
            goDown(gate);
            relay.advance(Duration.ofSeconds(1));
            gate.probeIfDue();

            assertThat(gate.isClosed()).isTrue();
        }

        @Test
        void letsOneCanaryInAfterAHealthyProbeAndOpensWhenItArrives() {
            recover(gate);

            assertThat(gate.isClosed()).isFalse();
            assertThat(enter(gate, 5)).isEqualTo(1);
            assertThat(relay.events).doesNotContain("recovered");

            gate.succeeded();
            assertThat(enter(gate, 5)).isEqualTo(5);
            assertThat(relay.events).endsWith("recovered");
        }

        @Test
        void sendsAnotherCanaryWhenTheFirstFailsForItself() {
            recover(gate);
            enter(gate, 1);
            gate.left();

            assertThat(enter(gate, 5)).isEqualTo(1);
        }

        @Test
        void tellsThatPassedOverRowsMustBeReadAgain() {
            long before = gate.reopenings();
            goDown(gate);
            assertThat(gate.reopenings()).isEqualTo(before);

            relay.advance(Duration.ofSeconds(1));
            gate.probeIfDue();
            assertThat(gate.reopenings()).isEqualTo(before + 1);
        }

        @Test
        void startsItsBackoffAnewAfterARecovery() {
            recover(gate);
            gate.tryEnter();
            gate.succeeded();
            goDown(gate);

            assertThat(relay.events).endsWith("outage for PT1S: reset");
        }

        @Test
        void ignoresALateSuccessOfAnEarlierSend() {
            enter(gate, 2);
            drop(gate);
            gate.succeeded();

            assertThat(gate.isClosed()).isTrue();
        }
    }

    /** A message that makes the broker drop the connection must not look like an endless outage. */
    @Nested
    class WithPoisonThatLooksLikeAnOutage {

        private final DestinationGate gate = gate();

        @Test
        void blamesNobodyForTheFirstTwoOutages() {
            assertThat(dropAlone(gate)).isFalse();
            probeHealthy(gate);
            assertThat(dropAlone(gate)).isFalse();
        }

        @Test
        void blamesTheMessageThatIsAloneWhenTheConnectionDropsForTheThirdTime() {
            dropAlone(gate);
            probeHealthy(gate);
            dropAlone(gate);
            probeHealthy(gate);

            assertThat(dropAlone(gate)).isTrue();
        }

        @Test
        void sendsOneAtATimeAfterTheSecondOutageEvenWhenACanaryArrived() {
            dropTwice(gate);
            assertThat(enter(gate, 5)).isEqualTo(1);
            gate.succeeded();

            assertThat(enter(gate, 5)).isEqualTo(1);
            assertThat(drop(gate)).isTrue();
        }

        @Test
        void trustsTheDestinationAgainAfterAHundredSuccesses() {
            dropTwice(gate);
            succeed(gate, 99);
            assertThat(enter(gate, 5)).isEqualTo(1);
            gate.succeeded();

            assertThat(enter(gate, 5)).isEqualTo(5);
        }

        @Test
        void takesAnOutageLongAfterwardsForAFirstOne() {
            dropTwice(gate);
            succeed(gate, 100);

            assertThat(dropAlone(gate)).isFalse();
            probeHealthy(gate);
            assertThat(dropAlone(gate)).isFalse();
            probeHealthy(gate);
            assertThat(dropAlone(gate)).isTrue();
        }

        @Test
        void needsNoMoreSuccessesThanMayBeInFlight() {
            relay.maxInFlight = 2;
            DestinationGate small = gate();
            dropTwice(small);
            succeed(small, 2);

            assertThat(enter(small, 5)).isEqualTo(5);
        }

        @Test
        void blamesNobodyOfSeveralThatWereInFlightTogetherHoweverLateTheyAreReported() {
            recover(gate);
            gate.tryEnter();
            gate.succeeded();
            enter(gate, 4);
            long before = gate.outages();
            for (int i = 0; i < 4; i++) {
                assertThat(gate.dropped("reset", before)).isEqualTo(Fate.UNSENT);
                probeHealthy(gate);
            }
        }

        @Test
        void doesNotTakeLateNewsOfAnOutageForAnotherOne() {
            enter(gate, 2);
            long before = gate.outages();
            gate.dropped("reset", before);
            probeHealthy(gate);

            gate.dropped("reset", before);

            assertThat(gate.isClosed()).isFalse();
            assertThat(gate.outages()).isEqualTo(before + 1);
        }

        @Test
        void wakesAWorkerThatWasRefusedUntilLateNewsCameIn() {
            enter(gate, 2);
            long before = gate.outages();
            gate.dropped("reset", before);
            probeHealthy(gate);
            assertThat(gate.tryEnter()).isFalse();
            AtomicInteger wakeUps = watch(gate);

            gate.dropped("reset", before);

            assertThat(wakeUps).hasValue(1);
            assertThat(gate.tryEnter()).isTrue();
        }

        @Test
        void blamesNobodyWhileTheDestinationIsUnhealthy() {
            dropTwice(gate);
            assertThat(dropAlone(gate)).isTrue();
            destination.health = Health.down("still restarting");
            for (int i = 0; i < 5; i++) {
                relay.advance(Duration.ofMinutes(1));
                gate.probeIfDue();
                assertThat(gate.tryEnter()).isFalse();
            }
        }

        @Test
        void blamesNobodyWhileADestinationThatCannotTellLetsNothingThrough() {
            destination.health = Health.UNKNOWN;
            for (int i = 0; i < 10; i++) {
                assertThat(dropAlone(gate)).isFalse();
                relay.advance(Duration.ofMinutes(10));
                gate.probeIfDue();
            }
        }

        @Test
        void takesADeliveryForTheProofThatADestinationThatCannotTellIsUp() {
            destination.health = Health.UNKNOWN;
            for (int i = 0; i < 2; i++) {
                assertThat(dropAlone(gate)).isFalse();
                probeHealthy(gate);
                assertThat(gate.tryEnter()).isTrue();
                gate.succeeded();
            }

            assertThat(dropAlone(gate)).isTrue();
        }

        private void dropTwice(DestinationGate which) {
            dropAlone(which);
            probeHealthy(which);
            dropAlone(which);
            probeHealthy(which);
        }

        private void succeed(DestinationGate which, int times) {
            for (int i = 0; i < times; i++) {
                assertThat(which.tryEnter()).isTrue();
                which.succeeded();
            }
        }
    }

    /** A destination that fails for every message, each time as if it were the message's own failure, is down. */
    @Nested
    class WhenEveryMessageFails {

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
                    gate.tryEnter();
                    gate.succeeded();
                }
            }
            assertThat(gate.isClosed()).isFalse();
        }

        @Test
        void isNotSuspectedForWhatItRejects() {
            for (int i = 0; i < 100; i++) {
                gate.tryEnter();
                gate.left();
            }
            assertThat(gate.isClosed()).isFalse();
        }

        @Test
        void countsNoAttemptOfWhatWasInFlightWhenItWasSuspected() {
            gate.tryEnter();
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
            gate.tryEnter();
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
            gate.tryEnter();
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

            // 62 have failed: when each waits for as many trials, at least one turn is left in each.
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
            gate.tryEnter();

            assertThat(gate.dropped("refused", gate.outages())).isEqualTo(Fate.STEPS_BACK);
        }

        private void suspect() {
            for (int i = 0; i < 5; i++) {
                fail(gate, "key-" + i);
            }
        }
    }

    @Nested
    class WhenPaused {

        private final DestinationGate gate = gate();
        private final AtomicInteger wakeUps = watch(gate);

        @Test
        void letsNothingIn() {
            gate.setPaused(true);

            assertThat(gate.isClosed()).isTrue();
            assertThat(gate.tryEnter()).isFalse();
            assertThat(relay.events).containsExactly("paused");
        }

        @Test
        void letsWhatIsInFlightEnd() {
            enter(gate, 2);
            gate.setPaused(true);
            gate.succeeded();
            gate.left();
            gate.setPaused(false);

            assertThat(gate.tryEnter()).isTrue();
        }

        @Test
        void reportsAndWakesOnlyOnAChange() {
            gate.setPaused(false);
            assertThat(wakeUps).hasValue(0);

            gate.setPaused(true);
            gate.setPaused(true);
            assertThat(wakeUps).hasValue(1);
            assertThat(relay.events).containsExactly("paused");
        }

        @Test
        void beginsWithACanaryWhenResumed() {
            gate.setPaused(true);
            gate.setPaused(false);

            assertThat(enter(gate, 5)).isEqualTo(1);
            gate.succeeded();
            assertThat(enter(gate, 5)).isEqualTo(5);
            assertThat(relay.events).containsExactly("paused", "resumed", "recovered");
        }

        @Test
        void tellsOnResumeThatPassedOverRowsMustBeReadAgain() {
            long before = gate.reopenings();
            gate.setPaused(true);
            assertThat(gate.reopenings()).isEqualTo(before);

            gate.setPaused(false);
            assertThat(gate.reopenings()).isGreaterThan(before);
        }

        @Test
        void staysClosedOnResumeWhileThereIsAnOutage() {
            goDown(gate);
            gate.setPaused(true);
            gate.setPaused(false);
            assertThat(gate.isClosed()).isTrue();

            probeHealthy(gate);
            assertThat(gate.isClosed()).isFalse();
        }

        @Test
        void staysClosedWhenTheOutageEndsBeforeThePause() {
            goDown(gate);
            gate.setPaused(true);
            probeHealthy(gate);
            assertThat(gate.isClosed()).isTrue();

            long before = gate.reopenings();
            gate.setPaused(false);
            assertThat(gate.isClosed()).isFalse();
            assertThat(gate.reopenings()).isGreaterThan(before);
            assertThat(enter(gate, 5)).isEqualTo(1);
        }
    }

    private DestinationGate gate() {
        return new DestinationGate(destination, relay.context());
    }

    private static AtomicInteger watch(DestinationGate gate) {
        AtomicInteger wakeUps = new AtomicInteger();
        gate.watch(wakeUps::incrementAndGet);
        return wakeUps;
    }

    /** Tries to enter so many times and returns how often it was allowed. */
    private static int enter(DestinationGate gate, int times) {
        int entered = 0;
        for (int i = 0; i < times; i++) {
            entered += gate.tryEnter() ? 1 : 0;
        }
        return entered;
    }

    /** Returns whether the message is to blame. */
    private static boolean drop(DestinationGate gate) {
        return gate.dropped("reset", gate.outages()) == Fate.ATTEMPT;
    }

    private static Fate fail(DestinationGate gate, String key) {
        assertThat(gate.tryEnter()).isTrue();
        return gate.failed(key, "broken", gate.outages());
    }

    private static void goDown(DestinationGate gate) {
        gate.tryEnter();
        drop(gate);
    }

    private static boolean dropAlone(DestinationGate gate) {
        assertThat(gate.tryEnter()).isTrue();
        return drop(gate);
    }

    private void recover(DestinationGate gate) {
        goDown(gate);
        probeHealthy(gate);
    }

    private void probeHealthy(DestinationGate gate) {
        relay.advance(Duration.ofMinutes(1));
        gate.probeIfDue();
    }
}
