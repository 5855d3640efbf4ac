package dev.postrider.testkit;

import static dev.postrider.testkit.DeliveryAssert.assertThatDeliveries;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Headers;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Health;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What was acknowledged can be read, whole and in order. */
interface DeliveryContract extends DestinationPart {

    @Test
    default void letsOthersReadWhatItAcknowledged() {
        List<OutboxMessage> messages = IntStream.range(0, 50)
                .mapToObj(i -> driver().message("key-" + i))
                .toList();

        messages.forEach(driver()::deliver);

        assertThatDeliveries(driver().arrived(50))
                .lackNothingOf(messages)
                .containNothingBut(messages)
                .haveNoDuplicates();
    }

    @Test
    default void carriesIdTypeKeyContentTypeAndPayload() {
        OutboxMessage sent = driver().message()
                .key("Schlüssel/17 日本")
                .type("com.example.Größe")
                .contentType("application/vnd.example+json; charset=utf-8")
                .payload("{\"größe\": \"日本語\"}".getBytes(StandardCharsets.UTF_8))
                .build();

        driver().deliver(sent);

        OutboxMessage arrived = driver().arrivedAlone();
        assertThat(arrived.id()).isEqualTo(sent.id());
        assertThat(arrived.type()).isEqualTo(sent.type());
        assertThat(arrived.key()).isEqualTo(sent.key());
        assertThat(arrived.contentType()).isEqualTo(sent.contentType());
        assertThat(arrived.payload()).isEqualTo(sent.payload());
    }

    @Test
    default void carriesHeaders() {
        OutboxMessage sent = driver().message()
                .header("plain", "value")
                .header("X-Case.Kept_1", "ÄÖÜ 日本語 \uD83D\uDE80")
                .header("empty", "")
                .header("quotes", "\"a\" 'b' \\c %20 =d; e,f: {g}")
                .header("spaces", " at both ends ")
                .header("long", "x".repeat(2_000))
                .header(Headers.SOURCE, "/orders")
                .header(Headers.SUBJECT, "Bestellung 17 ü")
                .header("ce_tenant", "blue")
                .correlationId("correlation")
                .causationId("causation")
                .header(Headers.AGGREGATE_TYPE, "order")
                .build();

        driver().deliver(sent);

        assertThat(driver().arrivedAlone().headers().asMap())
                .containsAllEntriesOf(sent.headers().asMap());
    }

    /** Deduplication of consumers depends on it, above all when they come from another system. */
    @Test
    default void carriesIdsOfOthersAsTheyAre() {
        List<String> ids = List.of(
                "user-created-123", "0190A3F2-7C1E-7B3A-9F00-123456789ABC", "50% of {7}", "größe 日本 \uD83D\uDE80");

        ids.forEach(
                id -> driver().deliver(driver().message().id(MessageId.of(id)).build()));

        assertThat(driver().arrived(ids.size()))
                .extracting(message -> message.id().text())
                .containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    default void carriesTheTraceContext() {
        String traceParent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

        driver().deliver(driver().message()
                .header(Headers.TRACE_PARENT, traceParent)
                .build());

        assertThat(driver().arrivedAlone().headers().get(Headers.TRACE_PARENT)).contains(traceParent);
    }

    @Test
    default void carriesOddHeadersOrRefusesThemByName() {
        Map<String, String> odd = new LinkedHashMap<>();
        List.of("with space", "größe", "colon:slash/semicolon;", "x".repeat(300))
                .forEach(name -> odd.put(name, "value"));
        odd.put("breaks", "line\r\nbreak\ttab");
        Map<MessageId, String> delivered = new LinkedHashMap<>();
        odd.forEach((name, value) -> {
            OutboxMessage sent = driver().message().header(name, value).build();
            if (driver().send(sent) instanceof DeliveryResult.Failed failed) {
                assertThat(failed).isInstanceOf(DeliveryResult.Reject.class);
                assertThat(failed.reason()).contains(name);
            } else {
                delivered.put(sent.id(), name);
            }
        });

        List<OutboxMessage> arrived = driver().arrived(delivered.size());
        assertThat(DestinationDriver.ids(arrived)).containsExactlyInAnyOrderElementsOf(delivered.keySet());
        assertThat(arrived).allSatisfy(each -> {
            String name = requireNonNull(delivered.get(each.id()));
            assertThat(each.headers().get(name)).contains(odd.get(name));
        });
    }

    @Test
    default void carriesAnEmptyPayloadAndNoKey() {
        driver().deliver(driver().message().build());

        OutboxMessage arrived = driver().arrivedAlone();
        assertThat(arrived.payload()).isEmpty();
        assertThat(arrived.key()).isEmpty();
    }

    @Test
    default void carriesAMegabyte() {
        byte[] payload = new byte[1_000_000];
        new Random(7).nextBytes(payload);

        driver().deliver(driver().message().payload(payload).build());

        assertThat(driver().arrivedAlone().payload()).isEqualTo(payload);
    }

    @Test
    default void keepsTheOrderOfEachKey() {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            for (int key = 0; key < 5; key++) {
                messages.add(driver().message("key-" + key));
            }
        }

        for (int from = 0; from < messages.size(); from += 5) {
            assertThat(driver().awaitAll(driver().beginAll(messages.subList(from, from + 5))))
                    .containsOnly(DeliveryResult.DELIVERED);
        }

        assertThatDeliveries(driver().arrived(messages.size()))
                .lackNothingOf(messages)
                .keepTheOrderOf(messages)
                .haveNoDuplicates();
    }

    /** As relays do that share it: beyond its limit they wait, and nothing fails. */
    @Test
    default void takesThreeTimesItsLimitAtOnceFromSeveralThreads() {
        int count = (int) Math.min(3L * driver().destination().maxInFlight(), 900);
        List<OutboxMessage> messages = IntStream.range(0, count)
                .mapToObj(i -> driver().message("key-" + i))
                .toList();

        List<CompletableFuture<DeliveryResult>> sendings =
                messages.parallelStream().map(driver()::begin).toList();

        assertThat(driver().awaitAll(sendings)).containsOnly(DeliveryResult.DELIVERED);
        assertThatDeliveries(driver().arrived(count)).lackNothingOf(messages).haveNoDuplicates();
    }

    @Test
    default void deliversForAnInterruptedThreadToo() {
        OutboxMessage sent = driver().message("key");

        Thread.currentThread().interrupt();
        CompletableFuture<DeliveryResult> sending = driver().begin(sent);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(driver().await(sending)).isEqualTo(DeliveryResult.DELIVERED);
        assertThat(driver().arrivedAlone().id()).isEqualTo(sent.id());
    }

    @Test
    default void isUpWhileItDelivers() {
        driver().deliver(driver().message().build());

        assertThat(driver().destination().healthCheck()).isNotInstanceOf(Health.Down.class);
    }

    @Test
    default void hasANameAndBounds() {
        assertThat(driver().destination().name()).isNotBlank();
        assertThat(driver().destination().maxInFlight()).isPositive();
        assertThat(driver().destination().deliveryTimeout()).isBetween(Duration.ofMillis(1), Duration.ofMinutes(30));
    }
}
