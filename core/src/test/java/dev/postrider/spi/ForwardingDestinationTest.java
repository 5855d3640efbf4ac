package dev.postrider.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
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

        var first = wrapper.send(message, SendContext.of(new KeyRun(tenure)));
        var second = wrapper.send(message);

        assertThat(first).isCompletedWithValue(DeliveryResult.DELIVERED);
        assertThat(second).isCompletedWithValue(DeliveryResult.DELIVERED);
        assertThat(seen).containsExactly(message, message);
        assertThat(target.calls).containsExactly("send for lane 3", "send");
    }

    /** It cannot know what a subclass does to single messages. */
    @Test
    void promisesNoOrderForItsTarget() {
        Destination pipelined = new Target() {
            @Override
            public KeyOrder keyOrder() {
                return KeyOrder.PIPELINED;
            }
        };

        assertThat(new ForwardingDestination(pipelined) {}.keyOrder()).isEqualTo(KeyOrder.ONE_BY_ONE);
    }

    /** Also what is added to the port later: by the port's own default a wrapper would hide what its target can do. */
    @Test
    void leavesEverythingElseToItsTarget() throws Exception {
        List<String> asked = new ArrayList<>();
        Destination recording = (Destination) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Destination.class}, (proxy, method, arguments) -> {
                    asked.add(method.getName());
                    return method.getReturnType() == int.class ? 1 : null;
                });
        Destination wrapper = new ForwardingDestination(recording) {};
        List<String> expected = new ArrayList<>();

        for (Method method : Destination.class.getMethods()) {
            if (!Modifier.isStatic(method.getModifiers()) && !method.getName().equals("keyOrder")) {
                expected.add(method.getName());
                method.invoke(wrapper, new Object[method.getParameterCount()]);
            }
        }

        assertThat(asked).isEqualTo(expected).contains("send", "checks", "close");
    }

    private static class Target implements Destination {

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
        public CompletionStage<DeliveryResult> send(OutboxMessage message, SendContext context) {
            calls.add("send for lane " + context.run().tenure().lane());
            return CompletableFuture.completedFuture(DeliveryResult.DELIVERED);
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(7);
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
