package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.spi.Health;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A message that makes the broker drop the connection must not look like an endless outage. */
class PoisonOutageTest extends GateSteps {

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
    void doesNotTakeFailuresOfManyForADrop() {
        for (int i = 0; i < 5; i++) {
            fail(gate, "key-" + i);
        }
        probeHealthy(gate);

        assertThat(dropAlone(gate)).isFalse();
        probeHealthy(gate);
        assertThat(dropAlone(gate)).isFalse();
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
        tryEnter(gate);
        gate.succeeded();
        enter(gate, 4);
        long before = gate.outages();
        for (int i = 0; i < 4; i++) {
            assertThat(gate.dropped(newId(), "reset", before)).isEqualTo(Fate.UNSENT);
            probeHealthy(gate);
        }
    }

    @Test
    void doesNotTakeLateNewsOfAnOutageForAnotherOne() {
        enter(gate, 2);
        long before = gate.outages();
        gate.dropped(newId(), "reset", before);
        probeHealthy(gate);

        gate.dropped(newId(), "reset", before);

        assertThat(gate.isClosed()).isFalse();
        assertThat(gate.outages()).isEqualTo(before + 1);
    }

    @Test
    void wakesAWorkerThatWasRefusedUntilLateNewsCameIn() {
        enter(gate, 2);
        long before = gate.outages();
        gate.dropped(newId(), "reset", before);
        probeHealthy(gate);
        assertThat(tryEnter(gate)).isFalse();
        AtomicInteger wakeUps = watch(gate);

        gate.dropped(newId(), "reset", before);

        assertThat(wakeUps).hasValue(1);
        assertThat(tryEnter(gate)).isTrue();
    }

    @Test
    void blamesNobodyWhileTheDestinationIsUnhealthy() {
        dropTwice(gate);
        assertThat(dropAlone(gate)).isTrue();
        destination.health = Health.down("still restarting");
        for (int i = 0; i < 5; i++) {
            relay.advance(Duration.ofMinutes(1));
            gate.probeIfDue();
            assertThat(tryEnter(gate)).isFalse();
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
            assertThat(tryEnter(gate)).isTrue();
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

    @Nested
    class AtABusyDestinationThatCannotTell {

        private final MessageId poison = newId();

        @BeforeEach
        void cannotTell() {
            destination.health = Health.UNKNOWN;
        }

        @Test
        void blamesTheMessageThatDropsAgainAndAgainHoweverManyAreDeliveredBetween() {
            dropsAmongOthers();
            dropsAmongOthers();

            assertThat(gate.tryEnter(poison)).isTrue();
            assertThat(drop(gate, poison)).isTrue();
            assertThat(gate.isClosed()).as("closed though only one is bad").isFalse();
            succeed(gate, 200);
            assertThat(gate.tryEnter(poison)).isTrue();
            assertThat(drop(gate, poison)).isTrue();
        }

        @Test
        void sendsASuspectAloneAndLetsTheOthersWaitForIt() {
            dropsAmongOthers();
            dropsAmongOthers();
            enter(gate, 2);

            assertThat(gate.tryEnter(poison)).isFalse();
            assertThat(tryEnter(gate)).as("passes one that has to be alone").isFalse();
            gate.succeeded();
            assertThat(gate.tryEnter(poison)).isFalse();
            gate.succeeded();
            assertThat(tryEnter(gate)).as("passes one that has to be alone").isFalse();
            assertThat(gate.tryEnter(poison)).isTrue();
            assertThat(tryEnter(gate)).as("joins one that has to be alone").isFalse();
            gate.succeeded();
            assertThat(enter(gate, 5)).isEqualTo(5);
        }

        @Test
        void endsATrialAlsoWhenItsLastMessageIsASuspect() {
            dropsAmongOthers();
            dropsAmongOthers();
            for (int i = 0; i < 5; i++) {
                fail(gate, "key-" + i);
            }
            probeHealthy(gate);
            fail(gate, "another key");

            assertThat(gate.tryEnter(poison)).isTrue();
            drop(gate, poison);
            probeHealthy(gate);

            assertThat(tryEnter(gate)).isTrue();
        }

        @Test
        void doesNotWaitForASuspectThatNeverComes() {
            dropsAmongOthers();
            dropsAmongOthers();
            enter(gate, 1);
            assertThat(gate.tryEnter(poison)).isFalse();
            gate.succeeded();

            relay.advance(Duration.ofSeconds(2));

            assertThat(enter(gate, 5)).isEqualTo(5);
        }

        @Test
        void blamesNobodyWhileNothingIsDelivered() {
            dropsAmongOthers();
            dropsAmongOthers();
            gate.tryEnter(poison);
            drop(gate, poison);
            for (int i = 0; i < 20; i++) {
                probeHealthy(gate);
                assertThat(gate.tryEnter(poison)).isTrue();
                assertThat(drop(gate, poison)).isFalse();
            }
        }

        @Test
        void blamesNobodyOfManyThatMeetOneOutageAfterTheOther() {
            for (int i = 0; i < 20; i++) {
                enter(gate, 3);
                assertThat(drop(gate)).isFalse();
                gate.left();
                gate.left();
                recoverWithMany();
            }
        }

        private void dropsAmongOthers() {
            enter(gate, 3);
            assertThat(gate.tryEnter(poison)).isTrue();
            assertThat(drop(gate, poison)).isFalse();
            gate.succeeded();
            gate.succeeded();
            gate.succeeded();
            recoverWithMany();
        }

        private void recoverWithMany() {
            probeHealthy(gate);
            succeed(gate, 200);
        }
    }
}
