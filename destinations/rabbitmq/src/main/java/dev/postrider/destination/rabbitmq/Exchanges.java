package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.internal.LogThrottle;
import dev.postrider.spi.DeliveryResult;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.LoggerFactory;

/**
 * Knows which exchanges exist, so that a message to a missing one does not close a channel on which others are on their way.
 *
 * <p>Each exchange is asked for once per connection; the answer that one is missing is believed for a moment. For the
 * publisher's thread; {@link #forget} is for any.
 */
final class Exchanges {

    private final LogThrottle throttle = new LogThrottle(LoggerFactory.getLogger(Exchanges.class));
    private static final long MISSING_FOR = Duration.ofSeconds(1).toNanos();

    private final Connection connection;
    private final boolean declares;
    private final Failures failures;
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final Map<String, Missing> missing = new ConcurrentHashMap<>();

    Exchanges(Connection connection, boolean declares, Failures failures) {
        this.connection = connection;
        this.declares = declares;
        this.failures = failures;
    }

    /**
     * Why this message's exchange cannot be published to; empty if it can. Declares a missing one where that is wanted.
     *
     * @throws IOException if the connection is of no use any more
     */
    Optional<DeliveryResult> refusal(WireMessage wire) throws IOException {
        String exchange = wire.exchange();
        // The default exchange always exists, and the broker does not let anybody ask for it.
        if (exchange.isEmpty() || known.contains(exchange)) {
            return Optional.empty();
        }
        Missing before = missing.get(exchange);
        if (before != null && System.nanoTime() - before.until() < 0) {
            return Optional.of(before.result());
        }
        return ask(wire);
    }

    private Optional<DeliveryResult> ask(WireMessage wire) throws IOException {
        Optional<ShutdownSignalException> refused =
                BrokerQuery.ask(connection, channel -> channel.exchangeDeclarePassive(wire.exchange()));
        if (refused.isPresent() && declares && Failures.isNotFound(refused.get())) {
            refused = BrokerQuery.ask(
                    connection, channel -> channel.exchangeDeclare(wire.exchange(), BuiltinExchangeType.TOPIC, true));
        }
        if (refused.isEmpty()) {
            known.add(wire.exchange());
            missing.remove(wire.exchange());
            return Optional.empty();
        }
        DeliveryResult result = failures.ofChannelClose(refused.get(), wire);
        missing.put(wire.exchange(), new Missing(result, System.nanoTime() + MISSING_FOR));
        return Optional.of(result);
    }

    /**
     * Declares these. One that the broker refuses, such as an exchange of another type, is reported with the messages that go there.
     *
     * @throws IOException if the connection is of no use any more
     */
    void declare(Set<String> exchanges) throws IOException {
        for (String exchange : exchanges) {
            BrokerQuery.ask(connection, channel -> channel.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true))
                    .ifPresent(refused -> throttle.warn(exchange, refused, "Cannot declare exchange '{}'", exchange));
        }
    }

    void forget(String exchange) {
        known.remove(exchange);
    }

    private record Missing(DeliveryResult result, long until) {}
}
