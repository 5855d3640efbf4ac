package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.relay.RelayFixture.ScriptedDestination;
import dev.postrider.spi.KeyOrder;
import dev.postrider.spi.KeyRun;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A line of three messages at a destination that keeps their order; up to three may be in flight. */
class LineTest {

    private final RelayFixture relay = new RelayFixture();
    private final ScriptedDestination destination = new ScriptedDestination();
    private WorkerGate gate;
    private Line line;
    private TrackedMessage first;
    private TrackedMessage second;
    private TrackedMessage third;

    @BeforeEach
    void pipelined() {
        fill(KeyOrder.PIPELINED);
    }

    private void fill(KeyOrder order) {
        destination.keyOrder = order;
        gate = new WorkerGate(
                new DestinationGate(destination, relay.context()),
                relay.context().options());
        line = relay.line(gate, 1, "order-1", 0);
        first = line.next();
        second = relay.entry(line.lane, gate, 2, "order-1", 0);
        third = relay.entry(line.lane, gate, 3, "order-1", 0);
        line.append(second);
        line.append(third);
    }

    @Test
    void beginsAsManyAsTheDestinationKeepsInOrder() {
        assertThat(begun()).containsExactly(first, second, third);
        assertThat(line.lastSeq()).isEqualTo(3);

        fill(KeyOrder.ONE_BY_ONE);
        assertThat(begun()).containsExactly(first);
        line.ended();
        line.remove(first);
        assertThat(begun()).containsExactly(second);
    }

    @Test
    void beginsNothingOnceItsRunIsBrokenUntilAllHaveEnded() {
        begin();
        KeyRun run = line.run();
        run.breakOff();
        assertThat(line.canBegin()).isFalse();

        line.ended();
        line.remove(first);
        assertThat(line.canBegin()).isTrue();
        assertThat(line.run()).isNotSameAs(run);
    }

    @Test
    void goesOnWithWhatWasNotDeliveredOneAtATime() {
        begun();
        line.stop();
        line.ended();
        line.ended();
        assertThat(line.firstUndelivered()).isEmpty();
        line.ended();
        assertThat(line.firstUndelivered()).contains(first);

        assertThat(line.takeBegunBehindFirst()).containsExactly(second, third);
        line.remove(first);
        line.putBack(List.of(second, third));
        line.putBack(List.of(first));
        assertThat(line.canBegin()).isFalse();
        line.resume();

        assertThat(begun()).containsExactly(first);
        line.ended();
        line.remove(first);
        line.trust();
        assertThat(begun()).containsExactly(second, third);
    }

    @Test
    void waitsUntilTheEndOfAMessageThatIsGivenUpIsRecorded() {
        fill(KeyOrder.ONE_BY_ONE);
        begin();
        line.ended();
        line.awaitRecord(first);
        assertThat(line.canBegin()).isFalse();
        assertThat(line.recorded(second)).isFalse();

        assertThat(line.recorded(first)).isTrue();
        assertThat(begun()).containsExactly(second);
    }

    /** As stores without a held table return it. */
    @Test
    void triesAMessageAloneThatHasFailedBefore() {
        TrackedMessage failed = relay.triedEntry(line.lane, gate, 4, "order-1", 1);
        line = new Line(failed, line.key);
        line.append(failed);
        line.append(third);

        assertThat(begun()).containsExactly(failed);
    }

    @Test
    void hasNothingLeftButWhatIsInFlightWhenItIsDetached() {
        begin();
        line.detach();

        assertThat(line.canBegin()).isFalse();
        assertThat(line.removeAll()).containsExactly(first);
    }

    @Test
    void belongsToOneKeyAtOneDestination() {
        WorkerGate other = new WorkerGate(
                new DestinationGate(destination, relay.context()),
                relay.context().options());

        assertThat(line.key).contains(new Line.Key(gate, "order-1"));
        assertThat(line.key).get().isNotEqualTo(new Line.Key(gate, "order-2"));
        assertThat(line.key).get().isNotEqualTo(new Line.Key(other, "order-1"));
    }

    private List<TrackedMessage> begun() {
        List<TrackedMessage> begun = new ArrayList<>();
        while (line.canBegin()) {
            begun.add(line.next());
            begin();
        }
        return begun;
    }

    private void begin() {
        line.begin();
    }
}
