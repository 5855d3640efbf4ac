package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A worker crashes in the middle of judging an outcome: whatever its lanes were doing, nothing stays behind. */
class WorkerCrashTest {

    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store = new InMemoryOutboxStore(1, clock);
    private final Broken broken = new Broken();
    private final RelayCore relay = new RelayBuilder(store, DestinationRouter.to(broken))
            .workers(1)
            .deliveryTimeout(Duration.ofSeconds(4))
            .nanoTime(clock::nanoTime)
            .buildCore(new RelayListener() {});
    private final LaneWorker worker = relay.workers().get(0);

    @Test
    void sendsAgainWhatItHadNotJudged() {
        sendOne();

        crashWhileJudging();
        step();

        assertThat(broken.sends).hasSize(2);
        end();
        assertThat(store.stats().undelivered()).isZero();
    }

    @Test
    void sendsAgainWhatItHadNotJudgedInALaneThatWasBeingReset() {
        sendOne();
        worker.recover();

        crashWhileJudging();
        step();

        assertThat(broken.sends).hasSize(2);
        end();
        assertThat(store.stats().undelivered()).isZero();
    }

    @Test
    void givesBackALaneThatWasLeaving() {
        sendOne();
        relay.leaveAll();
        worker.step();

        crashWhileJudging();
        worker.step();

        assertThat(relay.ownsNothing()).isTrue();
        assertThat(store.stats().undelivered()).isOne();
    }

    private void sendOne() {
        InMemoryTransaction transaction = store.begin();
        transaction.enqueue(OutboxMessage.builder("t").key("k").type("x").build());
        transaction.commit();
        relay.keeper().step();
        step();
        assertThat(broken.sends).hasSize(1);
    }

    private void crashWhileJudging() {
        broken.hasNoName = true;
        broken.sends.get(0).complete(DeliveryResult.DELIVERED);
        assertThatThrownBy(worker::step).hasMessage("no name");
        broken.hasNoName = false;
        worker.recover();
    }

    private void step() {
        for (int i = 0; i < 3; i++) {
            worker.step();
            clock.advance(Duration.ofMillis(100));
        }
    }

    private void end() {
        broken.sends.get(1).complete(DeliveryResult.DELIVERED);
        step();
    }

    /** Fails where nobody expects it. */
    private static final class Broken implements Destination {

        private final List<CompletableFuture<DeliveryResult>> sends = new ArrayList<>();
        private boolean hasNoName;

        @Override
        public String name() {
            if (hasNoName) {
                throw new IllegalStateException("no name");
            }
            return "broken";
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(4);
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            CompletableFuture<DeliveryResult> send = new CompletableFuture<>();
            sends.add(send);
            return send;
        }
    }
}
