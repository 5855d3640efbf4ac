package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.relay.RelayFixture.ScriptedDestination;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What happens at a gate, step by step, for tests. */
abstract class GateSteps {

    private static final AtomicLong IDS = new AtomicLong();

    final RelayFixture relay = new RelayFixture();
    final ScriptedDestination destination = new ScriptedDestination();

    DestinationGate gate() {
        return new DestinationGate(destination, relay.context());
    }

    /** The id of a message that was not sent before. */
    static MessageId newId() {
        return new MessageId(0, IDS.incrementAndGet());
    }

    static AtomicInteger watch(DestinationGate gate) {
        AtomicInteger wakeUps = new AtomicInteger();
        gate.watch(wakeUps::incrementAndGet);
        return wakeUps;
    }

    static boolean tryEnter(DestinationGate gate) {
        return gate.tryEnter(newId());
    }

    /** Tries to enter this often; returns how many tries were allowed. */
    static int enter(DestinationGate gate, int times) {
        int entered = 0;
        for (int i = 0; i < times; i++) {
            entered += tryEnter(gate) ? 1 : 0;
        }
        return entered;
    }

    /** Returns whether the message is to blame. */
    static boolean drop(DestinationGate gate) {
        return drop(gate, newId());
    }

    static boolean drop(DestinationGate gate, MessageId id) {
        return gate.dropped(id, "reset", gate.outages()) == Fate.ATTEMPT;
    }

    static Fate fail(DestinationGate gate, String key) {
        assertThat(tryEnter(gate)).isTrue();
        return gate.failed(key, "broken", gate.outages());
    }

    static void goDown(DestinationGate gate) {
        tryEnter(gate);
        drop(gate);
    }

    static boolean dropAlone(DestinationGate gate) {
        assertThat(tryEnter(gate)).isTrue();
        return drop(gate);
    }

    static void succeed(DestinationGate gate, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(tryEnter(gate)).isTrue();
            gate.succeeded();
        }
    }

    void recover(DestinationGate gate) {
        goDown(gate);
        probeHealthy(gate);
    }

    void probeHealthy(DestinationGate gate) {
        relay.advance(Duration.ofMinutes(1));
        gate.probeIfDue();
    }
}
