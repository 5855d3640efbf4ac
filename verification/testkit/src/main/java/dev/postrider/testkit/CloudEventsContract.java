package dev.postrider.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Headers;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Delivery;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * What every adapter exchanges with another implementation of CloudEvents, in binary and in structured mode. A subclass brings that
 * implementation; this class knows the events.
 */
public abstract class CloudEventsContract {

    /** The content type of an event in structured mode. */
    protected static final String STRUCTURED = "application/cloudevents+json";

    /** The attributes of the other implementation's event, extensions included. */
    protected static final Map<String, String> ATTRIBUTES = Map.of(
            "specversion", "1.0",
            "id", "not-a-uuid-0",
            "source", "/shop",
            "type", "com.example.OrderPlaced",
            "subject", "17",
            "time", "2026-01-31T12:00:00.5+01:00",
            "dataschema", "https://example.com/order",
            "tenant", "blue",
            "shard", "7",
            "isnew", "true");

    /** Its data, of type {@code application/json}. */
    protected static final String DATA = "{\"total\":1.50}";

    /** Where messages to the other implementation go. */
    protected abstract String topic();

    /** Lets the other implementation send its event, and receives it once. */
    protected abstract void receive(boolean isStructured, Consumer<Delivery> check) throws Exception;

    /**
     * Sends a message, and returns what the other implementation reads: attributes by their names, {@code datacontenttype} among them, and the
     * data as {@code data}.
     */
    protected abstract Map<String, String> read(OutboxMessage message) throws Exception;

    @Test
    final void receivesItsEventUnchangedInBinaryMode() throws Exception {
        receivesItsEventUnchanged(false);
    }

    @Test
    final void receivesItsEventUnchangedInStructuredMode() throws Exception {
        receivesItsEventUnchanged(true);
    }

    private void receivesItsEventUnchanged(boolean isStructured) throws Exception {
        receive(isStructured, delivery -> {
            assertThat(delivery.message().id().text()).isEqualTo("not-a-uuid-0");
            assertThat(delivery.message().payload()).asString(UTF_8).isEqualTo(DATA);
            assertThat(delivery.event().dataContentType()).isEqualTo("application/json");
            assertSame(delivery.event().asMap(), ATTRIBUTES);
        });
    }

    @Test
    final void sendsAnEventThatItReadsInBinaryMode() throws Exception {
        sendsAnEventThatItReads("application/json");
    }

    @Test
    final void sendsAnEventThatItReadsInStructuredMode() throws Exception {
        sendsAnEventThatItReads(STRUCTURED);
    }

    private void sendsAnEventThatItReads(String contentType) throws Exception {
        OutboxMessage message = OutboxMessage.builder(topic())
                .id(MessageId.of("not-a-uuid-0"))
                .type("com.example.OrderPlaced")
                .contentType(contentType)
                .header(Headers.SOURCE, "/shop")
                .header(Headers.SUBJECT, "17")
                .header(Headers.TIME, "2026-01-31T12:00:00.5+01:00")
                .header(Headers.DATA_SCHEMA, "https://example.com/order")
                .header("ce_tenant", "blue")
                .payload("{\"total\":15}".getBytes(UTF_8))
                .build();
        Map<String, String> expected = new HashMap<>(ATTRIBUTES);
        expected.keySet().removeAll(Set.of("shard", "isnew"));
        expected.put("datacontenttype", "application/json");
        expected.put("data", "{\"total\":15}");

        assertSame(read(message), expected);
    }

    /** The same moment may be written in several ways. */
    private static void assertSame(Map<String, String> event, Map<String, String> expected) {
        assertThat(withoutTime(event)).isEqualTo(withoutTime(expected));
        assertThat(event).containsKey("time");
        assertThat(OffsetDateTime.parse(event.get("time"))).isEqualTo(OffsetDateTime.parse(expected.get("time")));
    }

    private static Map<String, String> withoutTime(Map<String, String> event) {
        Map<String, String> others = new HashMap<>(event);
        others.remove("time");
        return others;
    }
}
