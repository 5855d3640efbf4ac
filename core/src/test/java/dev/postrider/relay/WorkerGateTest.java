package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.relay.RelayFixture.ScriptedDestination;
import org.junit.jupiter.api.Test;

class WorkerGateTest {

    private static final int HALF_OF_ALL_BYTES = 1 << 19;

    private final RelayFixture relay = new RelayFixture();
    private final ScriptedDestination destination = new ScriptedDestination();

    @Test
    void handsOutWhatIsReadyInOrder() {
        WorkerGate gate = gate();
        TrackedMessage first = relay.entry(gate, 1, "a", 0);
        TrackedMessage second = relay.entry(gate, 2, "b", 0);
        gate.addReady(first);
        gate.addReady(second);

        assertThat(gate.nextToSend()).isSameAs(first);
        assertThat(gate.nextToSend()).isSameAs(second);
        assertThat(gate.nextToSend()).isNull();
        assertThat(gate.inFlight()).isEqualTo(2);
    }

    @Test
    void keepsToTheNumberInFlight() {
        relay.maxInFlight = 2;
        WorkerGate gate = gate();
        TrackedMessage first = relay.entry(gate, 1, "a", 0);
        gate.addReady(first);
        gate.addReady(relay.entry(gate, 2, "b", 0));
        gate.addReady(relay.entry(gate, 3, "c", 0));

        assertThat(gate.nextToSend()).isNotNull();
        assertThat(gate.nextToSend()).isNotNull();
        assertThat(gate.nextToSend()).isNull();

        gate.ended(first);
        assertThat(gate.nextToSend()).isNotNull();
    }

    @Test
    void keepsToTheBytesInFlight() {
        WorkerGate gate = gate();
        TrackedMessage first = relay.entry(gate, 1, "a", HALF_OF_ALL_BYTES);
        gate.addReady(first);
        gate.addReady(relay.entry(gate, 2, "b", HALF_OF_ALL_BYTES));

        assertThat(gate.nextToSend()).isSameAs(first);
        assertThat(gate.nextToSend()).isNull();

        gate.ended(first);
        assertThat(gate.nextToSend()).isNotNull();
    }

    @Test
    void sendsAMessageLargerThanAllBytesAlone() {
        WorkerGate gate = gate();
        TrackedMessage huge = relay.entry(gate, 1, "a", 3 * HALF_OF_ALL_BYTES);
        gate.addReady(huge);
        gate.addReady(relay.entry(gate, 2, "b", 0));

        assertThat(gate.nextToSend()).isSameAs(huge);
        assertThat(gate.nextToSend()).isNull();
    }

    @Test
    void sharesTheDestinationsLimitWithOtherWorkers() {
        destination.maxInFlight = 1;
        DestinationGate shared = new DestinationGate(destination, relay.context());
        WorkerGate mine = gate(shared);
        WorkerGate others = gate(shared);
        mine.addReady(relay.entry(mine, 1, "a", 0));
        TrackedMessage theirs = relay.entry(others, 2, "b", 0);
        others.addReady(theirs);

        assertThat(others.nextToSend()).isSameAs(theirs);
        assertThat(mine.nextToSend()).isNull();

        others.notSent(theirs);
        assertThat(mine.nextToSend()).isNotNull();
    }

    @Test
    void forgetsWhatIsReady() {
        WorkerGate gate = gate();
        TrackedMessage first = relay.entry(gate, 1, "a", 0);
        TrackedMessage second = relay.entry(gate, 2, "b", 0);
        TrackedMessage third = relay.entry(gate, 3, "c", 0);
        gate.addReady(first);
        gate.addReady(second);
        gate.addReady(third);
        gate.forgetReady(first);
        gate.forgetReady(second.lane);

        assertThat(gate.nextToSend()).isSameAs(third);
        gate.addReady(first);
        gate.forgetReady();
        assertThat(gate.hasReady()).isFalse();
    }

    @Test
    void noticesEachReopeningOnce() {
        DestinationGate shared = new DestinationGate(destination, relay.context());
        WorkerGate gate = gate(shared);
        assertThat(gate.hasReopened()).isFalse();

        shared.setPaused(true);
        shared.setPaused(false);
        assertThat(gate.hasReopened()).isTrue();
        assertThat(gate.hasReopened()).isFalse();
    }

    @Test
    void learnsAThousandTopicsAtMost() {
        WorkerGate gate = gate();
        for (int i = 0; i < 2000; i++) {
            gate.learnTopic("topic-" + i);
        }

        assertThat(gate.topics()).hasSize(1000).contains("topic-0");
    }

    @Test
    void staysClosedUntilTheWorkerHasTakenNoteThatItReopened() {
        DestinationGate shared = new DestinationGate(destination, relay.context());
        WorkerGate gate = gate(shared);
        shared.setPaused(true);
        assertThat(gate.isClosed()).isTrue();
        shared.setPaused(false);
        assertThat(gate.isClosed()).isTrue();

        assertThat(gate.hasReopened()).isTrue();

        assertThat(gate.isClosed()).isFalse();
        assertThat(gate.hasReopened()).isFalse();
    }

    private WorkerGate gate() {
        return gate(new DestinationGate(destination, relay.context()));
    }

    private WorkerGate gate(DestinationGate shared) {
        return new WorkerGate(shared, relay.context().options());
    }
}
