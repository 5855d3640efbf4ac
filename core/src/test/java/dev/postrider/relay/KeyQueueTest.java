package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.relay.KeyQueue.QueueKey;
import dev.postrider.relay.RelayFixture.ScriptedDestination;
import org.junit.jupiter.api.Test;

class KeyQueueTest {

    private final RelayFixture relay = new RelayFixture();
    private final RelayContext context = relay.context();
    private final WorkerGate gate =
            new WorkerGate(new DestinationGate(new ScriptedDestination(), context), context.options());
    private final KeyQueue queue = new KeyQueue(new QueueKey(gate, "order-1"), false);
    private final TrackedMessage first = relay.entry(gate, 1, "order-1", 0);
    private final TrackedMessage second = relay.entry(gate, 2, "order-1", 0);
    private final TrackedMessage third = relay.entry(gate, 3, "order-1", 0);

    @Test
    void hasItsFirstEntryAsHeadAndKnowsItsLastSeq() {
        fill();

        assertThat(queue.head()).isSameAs(first);
        assertThat(queue.lastSeq()).isEqualTo(3);
        assertThat(first.queue).isSameAs(queue);
    }

    @Test
    void goesOnWithTheNextWhenTheHeadIsRemoved() {
        fill();
        queue.removeHead();
        assertThat(queue.head()).isSameAs(second);

        queue.removeHead();
        queue.removeHead();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void givesUpEverything() {
        fill();

        assertThat(queue.removeAll()).containsExactly(first, second, third);
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void dropsWhatWaitsAndKeepsWhatIsInFlight() {
        fill();
        first.state = TrackedMessage.State.IN_FLIGHT;

        assertThat(queue.dropWaiting()).isFalse();
        assertThat(queue.removeAll()).containsExactly(first);
    }

    @Test
    void isEmptyWhenAllThatItHadWaited() {
        fill();

        assertThat(queue.dropWaiting()).isTrue();
    }

    @Test
    void belongsToOneKeyAtOneDestination() {
        WorkerGate other = new WorkerGate(new DestinationGate(new ScriptedDestination(), context), context.options());

        assertThat(new QueueKey(gate, "order-1")).isEqualTo(queue.key);
        assertThat(new QueueKey(gate, "order-2")).isNotEqualTo(queue.key);
        assertThat(new QueueKey(other, "order-1")).isNotEqualTo(queue.key);
    }

    private void fill() {
        queue.append(first);
        queue.append(second);
        queue.append(third);
    }
}
