package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.relay.RelayFixture.ScriptedDestination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorkerGateTest {

    private static final int HALF_OF_ALL_BYTES = 1 << 19;

    private final RelayFixture relay = new RelayFixture();
    private final ScriptedDestination destination = new ScriptedDestination();

    @Test
    void handsOutWhatIsReadyInOrder() {
        WorkerGate gate = gate();
        Line first = relay.line(gate, 1, "a", 0);
        Line second = relay.line(gate, 2, "b", 0);
        gate.addReady(first);
        gate.addReady(second);

        assertThat(next(gate)).isSameAs(first);
        assertThat(next(gate)).isSameAs(second);
        assertThat(next(gate)).isNull();
        assertThat(gate.inFlight()).isEqualTo(2);
    }

    @Test
    void keepsToTheNumberInFlight() {
        relay.maxInFlight = 2;
        WorkerGate gate = gate();
        Line first = relay.line(gate, 1, "a", 0);
        gate.addReady(first);
        gate.addReady(relay.line(gate, 2, "b", 0));
        gate.addReady(relay.line(gate, 3, "c", 0));

        assertThat(next(gate)).isNotNull();
        assertThat(next(gate)).isNotNull();
        assertThat(next(gate)).isNull();

        gate.ended(first.next(), relay.context().now());
        assertThat(next(gate)).isNotNull();
    }

    @Test
    void hasMoreInFlightWhileSendsEndQuicklyAndFewerWhenTheyDoNot() {
        relay.maxInFlight = 1500;
        WorkerGate gate = gate();

        List<TrackedMessage> first = sendAsManyAsPossible(gate);
        assertThat(first.size()).isEqualTo(1000);

        end(gate, first);
        List<TrackedMessage> more = sendAsManyAsPossible(gate);
        assertThat(more.size()).isGreaterThan(1000);
        end(gate, more);
        List<TrackedMessage> most = sendAsManyAsPossible(gate);
        assertThat(most.size()).isEqualTo(1500);

        relay.advance(Duration.ofMillis(501));
        end(gate, most);
        assertThat(sendAsManyAsPossible(gate).size()).isEqualTo(1000);
    }

    @Test
    void doesNotTakeFewQuickSendsForASignThatManyAreQuick() {
        relay.maxInFlight = 1500;
        WorkerGate gate = gate();
        for (int i = 0; i < 3000; i++) {
            gate.addReady(relay.line(gate, i, "key-" + i, 0));
            end(gate, List.of(begin(Objects.requireNonNull(next(gate)))));
        }

        assertThat(sendAsManyAsPossible(gate).size()).isEqualTo(1000);
    }

    private List<TrackedMessage> sendAsManyAsPossible(WorkerGate gate) {
        List<TrackedMessage> begun = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            gate.addReady(relay.line(gate, i, "key-" + i, 0));
        }
        for (Line line = next(gate); line != null; line = next(gate)) {
            begun.add(begin(line));
        }
        return begun;
    }

    private TrackedMessage begin(Line line) {
        TrackedMessage next = Objects.requireNonNull(line.next());
        next.sentAt = relay.context().now();
        return next;
    }

    private void end(WorkerGate gate, List<TrackedMessage> begun) {
        begun.forEach(row -> gate.ended(row, relay.context().now()));
        begun.forEach(row -> gate.shared.left());
    }

    @Test
    void keepsToTheBytesInFlight() {
        WorkerGate gate = gate();
        Line first = relay.line(gate, 1, "a", HALF_OF_ALL_BYTES);
        gate.addReady(first);
        gate.addReady(relay.line(gate, 2, "b", HALF_OF_ALL_BYTES));

        assertThat(next(gate)).isSameAs(first);
        assertThat(next(gate)).isNull();

        gate.ended(first.next(), relay.context().now());
        assertThat(next(gate)).isNotNull();
    }

    @Test
    void sendsAMessageLargerThanAllBytesAlone() {
        WorkerGate gate = gate();
        Line huge = relay.line(gate, 1, "a", 3 * HALF_OF_ALL_BYTES);
        gate.addReady(huge);
        gate.addReady(relay.line(gate, 2, "b", 0));

        assertThat(next(gate)).isSameAs(huge);
        assertThat(next(gate)).isNull();
    }

    @Test
    void sharesTheDestinationsLimitWithOtherWorkers() {
        destination.maxInFlight = 1;
        DestinationGate shared = new DestinationGate(destination, relay.context());
        WorkerGate mine = gate(shared);
        WorkerGate others = gate(shared);
        mine.addReady(relay.line(mine, 1, "a", 0));
        Line theirs = relay.line(others, 2, "b", 0);
        others.addReady(theirs);

        assertThat(next(others)).isSameAs(theirs);
        assertThat(next(mine)).isNull();

        others.notSent(theirs.next());
        assertThat(next(mine)).isNotNull();
    }

    @Test
    void passesOverALineThatHasNothingToSendAnyMore() {
        WorkerGate gate = gate();
        Line first = relay.line(gate, 1, "a", 0);
        Line second = relay.line(gate, 2, "b", 0);
        gate.addReady(first);
        gate.addReady(second);
        first.detach();

        assertThat(next(gate)).isSameAs(second);
        assertThat(next(gate)).isNull();
    }

    @Test
    void letsALineWaitUntilTheLeaseOfItsLaneIsRenewed() {
        WorkerGate gate = gate();
        Line line = relay.line(gate, 1, "a", 0);
        gate.addReady(line);
        relay.advance(Duration.ofSeconds(11));
        assertThat(next(gate)).isNull();

        line.lane.leased(relay.context().options(), relay.context().now());
        assertThat(next(gate)).isSameAs(line);
    }

    @Test
    void hasALineInTurnOnceHoweverOftenItIsAdded() {
        WorkerGate gate = gate();
        Line line = relay.line(gate, 1, "a", 0);
        gate.addReady(line);
        gate.addReady(line);

        assertThat(next(gate)).isSameAs(line);
        assertThat(next(gate)).isNull();
    }

    private @Nullable Line next(WorkerGate gate) {
        return gate.nextToSend(relay.context().now());
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
