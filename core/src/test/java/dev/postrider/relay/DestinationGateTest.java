package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.Health;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DestinationGateTest extends GateSteps {

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
            tryEnter(narrow);
            narrow.succeeded();
            assertThat(wakeUps).hasValue(0);

            tryEnter(narrow);
            assertThat(tryEnter(narrow)).isFalse();
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
            assertThat(tryEnter(gate)).isFalse();
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
            tryEnter(gate);
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
            tryEnter(gate);
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

    @Nested
    class WhenPaused {

        private final DestinationGate gate = gate();
        private final AtomicInteger wakeUps = watch(gate);

        @Test
        void letsNothingIn() {
            gate.setPaused(true);

            assertThat(gate.isClosed()).isTrue();
            assertThat(tryEnter(gate)).isFalse();
            assertThat(relay.events).containsExactly("paused");
        }

        @Test
        void letsWhatIsInFlightEnd() {
            enter(gate, 2);
            gate.setPaused(true);
            gate.succeeded();
            gate.left();
            gate.setPaused(false);

            assertThat(tryEnter(gate)).isTrue();
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
}
