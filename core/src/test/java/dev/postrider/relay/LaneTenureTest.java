package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.LaneTenure;
import dev.postrider.spi.Lease;
import dev.postrider.spi.SendContext;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a destination learns of the relay on whose behalf it sends. */
class LaneTenureTest {

    private final InMemoryOutboxStore store =
            new InMemoryOutboxStore(1, new TestClock(), false, MessageLimits.defaults());
    private final Outbox outbox = Outbox.withDefaults(store);
    private final Recorder destination = new Recorder();

    @Test
    void tellsTheDestinationLaneAndEpochForAsLongAsTheLeaseLasts() {
        deliverOne();
        deliverOne();

        assertThat(destination.wereCertain).containsExactly(true, true);
        assertThat(destination.tenures).extracting(LaneTenure::lane).containsExactly(0, 0);
        assertThat(destination.tenures.get(1).epoch())
                .isGreaterThan(destination.tenures.get(0).epoch());
        assertThat(destination.tenures).noneMatch(LaneTenure::isCertain);
    }

    private void deliverOne() {
        outbox.inTransaction(
                store.dataSource(),
                tx -> tx.enqueue(OutboxMessage.builder("t").key("k").type("x").build()));
        Relay.withDefaults(store, destination).drainOnce();
    }

    @Test
    void isCertainUntilTheLeaseMayBeOverAndNeverAfterItsEnd() {
        AtomicLong now = new AtomicLong();
        Tenure tenure = new Tenure(new Lease(3, "me", 7), now::get);

        assertThat(tenure.isCertain()).isFalse();
        tenure.lastUntil(100);
        now.set(99);
        assertThat(tenure.isCertain()).isTrue();
        now.set(100);
        assertThat(tenure.isCertain()).isFalse();
        tenure.lastUntil(200);
        assertThat(tenure.isCertain()).isTrue();
        tenure.end();
        assertThat(tenure.isCertain()).isFalse();
    }

    private static final class Recorder implements Destination {

        private final List<LaneTenure> tenures = new ArrayList<>();
        private final List<Boolean> wereCertain = new ArrayList<>();

        @Override
        public String name() {
            return "recorder";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            throw new UnsupportedOperationException("A relay names the owner of the lane");
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message, SendContext context) {
            KeyRun run = context.run();
            tenures.add(run.tenure());
            wereCertain.add(run.tenure().isCertain());
            return CompletableFuture.completedFuture(DeliveryResult.DELIVERED);
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(1);
        }
    }
}
