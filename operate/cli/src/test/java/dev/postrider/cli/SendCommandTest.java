package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.store.jdbc.AuditTrail;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test message from the command line, through outbox and relay. */
@Timeout(60)
class SendCommandTest {

    private final TestOutbox outbox = new TestOutbox(AuditTrail.NONE);
    private final Shell shell = new Shell().set("POSTRIDER_URL", outbox.url());
    private final BlockingQueue<OutboxMessage> received = new LinkedBlockingQueue<>();

    @TempDir
    private Path directory;

    @Test
    void writesTheMessageAndPrintsItsId() throws Exception {
        Path file = Files.writeString(directory.resolve("order.json"), "{\"total\": 42}");

        int code = shell.run(
                "send",
                "--topic",
                "orders",
                "--key",
                "order-17",
                "--type",
                "Placed",
                "--header",
                "lang=en",
                "@" + file);

        assertThat(code).as(shell.err()).isZero();
        try (Relay relay = relay(DeliveryResult.DELIVERED)) {
            relay.start();
            OutboxMessage message = received.poll(30, TimeUnit.SECONDS);
            assertThat(message.id()).isEqualTo(MessageId.of(shell.out().strip()));
            assertThat(message.topic()).isEqualTo("orders");
            assertThat(message.key()).contains("order-17");
            assertThat(message.type()).isEqualTo("Placed");
            assertThat(message.headers().get("lang")).contains("en");
            assertThat(message.contentType()).isEqualTo("application/json");
            assertThat(new String(message.payload(), StandardCharsets.UTF_8)).isEqualTo("{\"total\": 42}");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "delivered, 0, 'delivered after '",
        "retry, 1, 'held after 1 attempt: broker is busy'",
        "reject, 1, 'dead (REJECTED): not an order'",
    })
    void waitsAndSaysWhatBecameOfTheMessage(String answer, int expected, String told) {
        DeliveryResult result = switch (answer) {
            case "retry" -> DeliveryResult.retry("broker is busy");
            case "reject" -> DeliveryResult.reject("not an order");
            default -> DeliveryResult.DELIVERED;
        };
        try (Relay relay = relay(result)) {
            relay.start();
            assertThat(shell.run("send", "--topic", "orders", "--wait", "hello"))
                    .isEqualTo(expected);
        }
        assertThat(shell.lines()).hasSize(2);
        assertThat(shell.lines().get(1)).startsWith(told);
        assertThat(received.element().contentType()).isEqualTo("text/plain");
    }

    @Test
    void saysThatNoRelayTookIt() {
        assertThat(shell.run("send", "--topic", "orders", "--wait", "--timeout", "10ms", "--json", "hello"))
                .isEqualTo(1);
        assertThat(shell.out()).contains("\"outcome\":\"waiting\"");
        assertThat(shell.err())
                .containsPattern("Message [0-9a-f-]{36} is committed; waiting for a relay, at most 10 ms");
        assertThat(outbox.store().stats().undelivered()).isEqualTo(1);
    }

    @Test
    void refusesWhatIsNoMessage() {
        assertThat(shell.run("send", "--topic", "", "hello")).isEqualTo(2);
        assertThat(shell.err()).contains("topic");
        assertThat(shell.run("send", "--topic", "orders", "--header", "lang", "hello"))
                .isEqualTo(2);
        assertThat(shell.err()).contains("--header is 'lang', expected NAME=VALUE");
        assertThat(shell.run("send", "--topic", "orders", "@nowhere.json")).isEqualTo(2);
        assertThat(shell.err()).contains("There is no file nowhere.json");
    }

    private Relay relay(DeliveryResult answer) {
        return Relay.withDefaults(outbox.store(), new Answering(answer, received));
    }

    private record Answering(DeliveryResult answer, BlockingQueue<OutboxMessage> received) implements Destination {
        @Override
        public String name() {
            return "test";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            received.add(message);
            return CompletableFuture.completedFuture(answer);
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(1);
        }
    }
}
