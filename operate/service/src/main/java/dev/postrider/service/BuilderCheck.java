package dev.postrider.service;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Makes all builder calls that a configuration stands for once, on builders that nobody builds: a bad value is found when the
 * file is read, not when its database can be reached.
 */
final class BuilderCheck {

    static final OutboxStore NO_STORE = (OutboxStore) Proxy.newProxyInstance(
            BuilderCheck.class.getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, arguments) -> {
                if (method.isDefault()) {
                    return InvocationHandler.invokeDefault(proxy, method, arguments);
                }
                throw new IllegalStateException("There is no outbox behind this");
            });

    private BuilderCheck() {}

    static void of(OutboxConfig config) {
        config.configure(Relay.builder(NO_STORE, new NoDestination()));
        config.cleanup(NO_STORE);
        config.partitions(NO_STORE);
    }

    /** Never asked. */
    private static final class NoDestination implements Destination {
        @Override
        public String name() {
            return "none";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            return CompletableFuture.completedFuture(DeliveryResult.outage("There is no destination behind this"));
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ZERO;
        }
    }
}
