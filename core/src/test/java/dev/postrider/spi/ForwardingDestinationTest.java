package dev.postrider.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ForwardingDestinationTest {

    private final OutboxMessage message =
            OutboxMessage.builder("orders").type("Placed").build();
    private final LaneTenure tenure = new Owner();
    private final Target target = new Target();

    @Test
    void handsOnOnWhoseBehalfAMessageIsSent() {
        List<OutboxMessage> seen = new ArrayList<>();
        Destination wrapper = new ForwardingDestination(target) {
            @Override
            protected CompletionStage<DeliveryResult> send(
                    OutboxMessage sent, Supplier<CompletionStage<DeliveryResult>> onward) {
                seen.add(sent);
                return onward.get();
            }
        };

        var first = wrapper.send(message, tenure);
        var second = wrapper.send(message);

        assertThat(first).isCompletedWithValue(DeliveryResult.DELIVERED);
        assertThat(second).isCompletedWithValue(DeliveryResult.DELIVERED);
        assertThat(seen).containsExactly(message, message);
        assertThat(target.calls).containsExactly("send for lane 3", "send");
    }

    @Test
    void answersAsItsTargetDoes() {
        Destination wrapper = new ForwardingDestination(target) {};

        assertThat(wrapper.name()).isEqualTo("target");
        assertThat(wrapper.deliveryTimeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(wrapper.maxInFlight()).isEqualTo(42);
        assertThat(wrapper.healthCheck()).isEqualTo(Health.down("full"));
        assertThat(wrapper.checks(List.of("orders"))).hasSize(1);
        wrapper.close();
        assertThat(target.calls).containsExactly("close");
    }

    private static final class Target implements Destination {

        private final List<String> calls = new ArrayList<>();

        @Override
        public String name() {
            return "target";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            calls.add("send");
            return CompletableFuture.completedFuture(DeliveryResult.DELIVERED);
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message, LaneTenure tenure) {
            calls.add("send for lane " + tenure.lane());
            return CompletableFuture.completedFuture(DeliveryResult.DELIVERED);
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(7);
        }

        @Override
        public int maxInFlight() {
            return 42;
        }

        @Override
        public Health healthCheck() {
            return Health.down("full");
        }

        @Override
        public List<Check> checks(Collection<String> topics) {
            return List.of(Check.of("topics", List::of));
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }

    private static final class Owner implements LaneTenure {

        @Override
        public int lane() {
            return 3;
        }

        @Override
        public long epoch() {
            return 1;
        }

        @Override
        public boolean isCertain() {
            return true;
        }
    }
}
