package dev.postrider.relay;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Every event of a listener, with something to tell. */
final class ListenerEvents {

    static final OutboxMessage MESSAGE =
            OutboxMessage.builder("orders").type("OrderPlaced").build();

    private static final Map<Class<?>, Object> ARGUMENTS = Map.ofEntries(
            Map.entry(int.class, 7),
            Map.entry(long.class, 8L),
            Map.entry(String.class, "text"),
            Map.entry(Duration.class, Duration.ofSeconds(9)),
            Map.entry(OutboxMessage.class, MESSAGE),
            Map.entry(MessageId.class, MESSAGE.id()),
            Map.entry(Attempt.class, new Attempt("broker", 3, MESSAGE, 2, 1)),
            Map.entry(DeadReason.class, DeadReason.REJECTED),
            Map.entry(DeliveryResult.Failed.class, new DeliveryResult.Retry("busy", Optional.empty())),
            Map.entry(DeliveryResult.Outage.class, new DeliveryResult.Outage("away", Optional.empty())),
            Map.entry(StoreOperation.class, StoreOperation.FETCH),
            Map.entry(RuntimeException.class, new IllegalStateException("store")),
            Map.entry(Relay.class, new Relay(null, null, null)),
            Map.entry(Throwable.class, new AssertionError("part")));

    private ListenerEvents() {}

    static Stream<Method> all() {
        return Stream.of(RelayListener.class.getMethods());
    }

    static Object[] arguments(Method event) {
        return Stream.of(event.getParameterTypes()).map(ARGUMENTS::get).toArray();
    }
}
