package dev.postrider.examples.owndestination;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Posts each message to an address; the receiver recognises duplicates by the header {@code message-id}. */
final class WebhookDestination implements Destination {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final URI address;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    WebhookDestination(URI address) {
        this.address = address;
    }

    @Override
    public String name() {
        return "webhook";
    }

    @Override
    public Duration deliveryTimeout() {
        return TIMEOUT.plusSeconds(1);
    }

    @Override
    public CompletionStage<DeliveryResult> send(OutboxMessage message) {
        HttpRequest request = HttpRequest.newBuilder(address.resolve("/" + message.topic()))
                .timeout(TIMEOUT)
                .header("message-id", message.id().text())
                .header("content-type", message.contentType())
                .POST(BodyPublishers.ofByteArray(message.payload()))
                .build();
        return client.sendAsync(request, BodyHandlers.discarding()).handle(WebhookDestination::judge);
    }

    /** An unreachable receiver pauses everything; a busy one holds back the key; a refusal is final. */
    private static DeliveryResult judge(HttpResponse<Void> response, Throwable failure) {
        if (failure != null) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return cause instanceof ConnectException
                    ? DeliveryResult.outage("no connection", cause)
                    : DeliveryResult.retry(String.valueOf(cause), cause);
        }
        return switch (response.statusCode() / 100) {
            case 2 -> DeliveryResult.DELIVERED;
            case 4 -> DeliveryResult.reject("status " + response.statusCode());
            default -> DeliveryResult.retry("status " + response.statusCode());
        };
    }

    /** Asked only during an outage: whether anybody listens. */
    @Override
    public Health healthCheck() {
        try {
            HttpRequest knock = HttpRequest.newBuilder(address).timeout(TIMEOUT).build();
            client.send(knock, BodyHandlers.discarding());
            return Health.UP;
        } catch (IOException unreachable) {
            return Health.down("nobody listens at " + address);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Health.UNKNOWN;
        }
    }
}
