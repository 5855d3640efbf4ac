package dev.postrider.spi.toybroker;

import dev.postrider.internal.HeaderJson;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import dev.postrider.spi.internal.Link.NoLinkException;
import dev.postrider.spi.internal.LinkSender;
import dev.postrider.spi.toybroker.ToyLink.Frame;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Delivers to the broker on a port of this machine. */
final class ToyDestination implements Destination {

    private final LinkSender.Options options;
    private final LinkSender<Frame, ToyLink> sender;

    private ToyDestination(LinkSender.Options options, int port) {
        this.options = options;
        this.sender = new LinkSender<>(options, () -> ToyLink.open(port));
    }

    static ToyDestination open(String name, int port) {
        return new ToyDestination(new LinkSender.Options(name, "The toy broker", 100, Duration.ofSeconds(5)), port);
    }

    @Override
    public String name() {
        return options.name();
    }

    @Override
    public Duration deliveryTimeout() {
        return options.deliveryTimeout();
    }

    @Override
    public int maxInFlight() {
        return options.maxInFlight();
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        return sender.send(() -> frame(message), ToyFailures.place(message.topic()));
    }

    private static Frame frame(OutboxMessage message) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("id", message.id().text());
        fields.put("type", message.type());
        fields.put("contentType", message.contentType());
        message.key().ifPresent(key -> fields.put("key", key));
        fields.put("payload", Base64.getEncoder().encodeToString(message.payload()));
        message.headers().asMap().forEach((name, value) -> fields.put("header " + name, value));
        return new Frame(message.topic(), HeaderJson.write(fields).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Health healthCheck() {
        try {
            sender.link();
            return Health.UP;
        } catch (NoLinkException unreachable) {
            return Health.down(String.valueOf(unreachable.getMessage()));
        }
    }

    @Override
    public void close() {
        sender.close();
    }
}
