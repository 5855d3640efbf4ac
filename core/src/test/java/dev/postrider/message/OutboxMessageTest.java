package dev.postrider.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class OutboxMessageTest {

    @Test
    void keepsEveryField() {
        MessageId id = MessageId.of("0190a3f27c1e7b3a9f00123456789abc");
        byte[] payload = {1, 2, 3};
        OutboxMessage message = OutboxMessage.builder("orders")
                .id(id)
                .key("order-1")
                .type("OrderPlaced")
                .header("tenant", "acme")
                .contentType("application/cbor")
                .payload(payload)
                .deliverAfter(Duration.ofMinutes(1))
                .dedupKey("order-1/placed")
                .build();

        assertThat(message.id()).isEqualTo(id);
        assertThat(message.topic()).isEqualTo("orders");
        assertThat(message.key()).contains("order-1");
        assertThat(message.type()).isEqualTo("OrderPlaced");
        assertThat(message.headers().get("tenant")).contains("acme");
        assertThat(message.contentType()).isEqualTo("application/cbor");
        assertThat(message.payload()).isSameAs(payload);
        assertThat(message.due()).isEqualTo(Due.after(Duration.ofMinutes(1)));
        assertThat(message.dedupKey()).contains("order-1/placed");
    }

    @Test
    void hasDefaultsForAllButTopicAndType() {
        OutboxMessage message = message().build();

        assertThat(message.key()).isEmpty();
        assertThat(message.headers().isEmpty()).isTrue();
        assertThat(message.contentType()).isEqualTo("application/octet-stream");
        assertThat(message.payload()).isEmpty();
        assertThat(message.due()).isEqualTo(Due.NOW);
        assertThat(message.dedupKey()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{oops | 2 of 5", "later | 1 of 5", "[1,2 | 5 of 4", "{} x | 4 of 4", "\"a | 3 of 2", "01 | 2 of 2"
            })
    void refusesWhatIsNotJsonUnlessTheCheckIsOff(String text, String place) {
        assertThatThrownBy(() -> message().json(text))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("payload is not JSON: it goes wrong at character " + place)
                .hasMessageContaining("checkJson(false)");
        assertThat(message().checkJson(false).json(text).build().payload())
                .isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void takesJsonAsUtf8ByteForByte() {
        String json = "{ \"größe\" :1.0, \"😀\":null }";
        OutboxMessage message = message().json(json).build();

        assertThat(message.payload()).isEqualTo(json.getBytes(StandardCharsets.UTF_8));
        assertThat(message.contentType()).isEqualTo("application/json");
    }

    @Test
    void takesItsIdFromTheGivenGenerator() {
        MessageId id = new MessageId(1, 2);

        assertThat(OutboxMessage.builder("orders", () -> id).type("T").build().id())
                .isEqualTo(id);
    }

    @Test
    void changesOnlyTheHeadersOfACopy() {
        OutboxMessage message = message()
                .key("k")
                .json("{}")
                .dedupKey("d")
                .deliverAt(Instant.EPOCH)
                .build();
        OutboxMessage copy = message.withHeaders(Headers.of(Map.of("a", "b")));

        assertThat(copy).usingRecursiveComparison().ignoringFields("headers").isEqualTo(message);
        assertThat(copy.headers()).isEqualTo(Headers.of(Map.of("a", "b")));
        assertThat(message.headers().isEmpty()).isTrue();
    }

    @Test
    void namesItsCauseAndStartsACorrelationWithIt() {
        OutboxMessage cause = message().build();
        OutboxMessage effect = message().causedBy(cause).build();

        assertThat(effect.headers().causationId()).contains(cause.id().toString());
        assertThat(effect.headers().correlationId()).contains(cause.id().toString());
    }

    @Test
    void carriesTheCorrelationOfItsCauseOn() {
        OutboxMessage cause = message().correlationId("checkout-7").build();
        OutboxMessage effect = message().causedBy(cause).build();
        OutboxMessage effectOfEffect = message().causedBy(effect).build();

        assertThat(effect.headers().correlationId()).contains("checkout-7");
        assertThat(effectOfEffect.headers().correlationId()).contains("checkout-7");
        assertThat(effectOfEffect.headers().causationId()).contains(effect.id().toString());
    }

    @Test
    void printsNothingConfidential() {
        OutboxMessage message = message()
                .key("secret-key")
                .header("auth", "secret-token")
                .json("\"secret\"")
                .build();

        assertThat(message)
                .hasToString("OutboxMessage[id=" + message.id() + ", topic=orders, type=OrderPlaced, payload=8 bytes]");
        assertThat(message.headers()).hasToString("Headers[auth]");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void refusesWithFieldAndReason(String problem, String field, Consumer<OutboxMessage.Builder> setter) {
        assertThatThrownBy(() -> setter.accept(message()))
                .isInstanceOfSatisfying(
                        InvalidMessageException.class,
                        refused -> assertThat(refused.field()).isEqualTo(field))
                .hasMessage("Invalid message: " + problem);
    }

    static Stream<Arguments> bad() {
        return Stream.of(
                bad("id is null", "id", m -> m.id(null)),
                bad("key is null", "key", m -> m.key(null)),
                bad("type is null", "type", m -> m.type(null)),
                bad("contentType is null", "contentType", m -> m.contentType(null)),
                bad("payload is null", "payload", m -> m.payload(null)),
                bad("payload is null", "payload", m -> m.json(null)),
                bad("headers is null", "headers", m -> m.headers((Headers) null)),
                bad("headers is null", "headers", m -> m.headers((Map<String, String>) null)),
                bad("cause is null", "cause", m -> m.causedBy(null)),
                bad("deliverAt is null", "deliverAt", m -> m.deliverAt(null)),
                bad("deliverAfter is null", "deliverAfter", m -> m.deliverAfter(null)),
                bad("dedupKey is null", "dedupKey", m -> m.dedupKey(null)),
                bad("key is empty", "key", m -> m.key("")),
                bad("type is empty", "type", m -> m.type("")),
                bad("contentType is empty", "contentType", m -> m.contentType("")),
                bad("dedupKey is empty", "dedupKey", m -> m.dedupKey("")),
                bad("key is at least 513 bytes long in UTF-8, the limit is 512", "key", m -> m.key("k".repeat(513))),
                bad("key is 513 bytes long in UTF-8, the limit is 512", "key", m -> m.key("ü".repeat(256) + "k")),
                bad(
                        "key is at least 10485760 bytes long in UTF-8, the limit is 512",
                        "key",
                        m -> m.key("k".repeat(10 << 20))),
                bad("type is at least 256 bytes long in UTF-8, the limit is 255", "type", m -> m.type("t".repeat(256))),
                bad(
                        "contentType is 256 bytes long in UTF-8, the limit is 255",
                        "contentType",
                        m -> m.contentType("ü".repeat(128))),
                bad(
                        "dedupKey is at least 256 bytes long in UTF-8, the limit is 255",
                        "dedupKey",
                        m -> m.dedupKey("d".repeat(256))),
                bad("key has control character U+0000 at position 1", "key", m -> m.key("a\0b")),
                bad("dedupKey has control character U+0000 at position 0", "dedupKey", m -> m.dedupKey("\0")),
                bad("type has control character U+000A at position 5", "type", m -> m.type("Order\nPlaced")),
                bad("contentType has control character U+000D at position 0", "contentType", m -> m.contentType("\rx")),
                bad("key has half a surrogate pair at position 2", "key", m -> m.key("ab\uD83D")),
                bad("key has half a surrogate pair at position 0", "key", m -> m.key("\uDE00\uD83D")),
                bad("type has half a surrogate pair at position 2", "type", m -> m.type("\uD83D\uDE00\uD83Dx")),
                bad("payload has half a surrogate pair at position 1", "payload", m -> m.json("\"\uD83D\"")),
                bad(
                        "deliverAfter is 0 ms, expected more than zero and at most 36,500 d",
                        "deliverAfter",
                        m -> m.deliverAfter(Duration.ZERO)),
                bad(
                        "deliverAfter is -1 s, expected more than zero and at most 36,500 d",
                        "deliverAfter",
                        m -> m.deliverAfter(Duration.ofSeconds(-1))),
                bad(
                        "deliverAfter is 36,500 d, expected more than zero and at most 36,500 d",
                        "deliverAfter",
                        m -> m.deliverAfter(Due.LONGEST.plusNanos(1))),
                bad(
                        "deliverAt is +1000000000-12-31T23:59:59.999999999Z, expected 1970-01-01T00:00:00Z to"
                                + " 9999-12-31T00:00:00Z",
                        "deliverAt",
                        m -> m.deliverAt(Instant.MAX)),
                bad(
                        "deliverAt is 1969-12-31T23:59:59Z, expected 1970-01-01T00:00:00Z to 9999-12-31T00:00:00Z",
                        "deliverAt",
                        m -> m.deliverAt(Instant.EPOCH.minusSeconds(1))));
    }

    private static Arguments bad(String problem, String field, Consumer<OutboxMessage.Builder> setter) {
        return arguments(problem, field, setter);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badTopics")
    void refusesABadTopicAtOnce(String problem, String topic) {
        assertThatThrownBy(() -> OutboxMessage.builder(topic)).hasMessage("Invalid message: " + problem);
    }

    static Stream<Arguments> badTopics() {
        return Stream.of(
                arguments("topic is null", null),
                arguments("topic is empty", ""),
                arguments("topic is at least 256 bytes long in UTF-8, the limit is 255", "t".repeat(256)),
                arguments("topic has control character U+0009 at position 1", "a\tb"));
    }

    @Test
    void refusesAMessageWithoutType() {
        assertThatThrownBy(() -> OutboxMessage.builder("orders").build())
                .hasMessage("Invalid message: type is missing; every message says what happened");
    }

    @Test
    void refusesAGeneratorThatIsNullOrMakesNull() {
        assertThatThrownBy(() -> OutboxMessage.builder("orders", null))
                .hasMessage("Invalid message: idGenerator is null");
        assertThatThrownBy(() ->
                        OutboxMessage.builder("orders", () -> null).type("T").build())
                .hasMessage("Invalid message: id from the generator is null");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void acceptsWhatIsJustInside(String what, Consumer<OutboxMessage.Builder> setter) {
        OutboxMessage.Builder builder = message();
        setter.accept(builder);

        assertThat(builder.build()).isNotNull();
    }

    static Stream<Arguments> good() {
        return Stream.of(
                good("a key of 512 bytes", m -> m.key("k".repeat(512))),
                good("a key of 256 two-byte characters", m -> m.key("ü".repeat(256))),
                good("a key of 128 surrogate pairs", m -> m.key("😀".repeat(128))),
                good("a key with line breaks", m -> m.key("line\r\nline")),
                good("a key of one space", m -> m.key(" ")),
                good("a type of 255 bytes", m -> m.type("t".repeat(255))),
                good("an empty JSON text", m -> m.json("")),
                good("a moment in the past", m -> m.deliverAt(Instant.EPOCH)),
                good("the last moment", m -> m.deliverAt(Due.LATEST)),
                good("the longest delay", m -> m.deliverAfter(Due.LONGEST)),
                good("the shortest delay", m -> m.deliverAfter(Duration.ofNanos(1))));
    }

    private static Arguments good(String what, Consumer<OutboxMessage.Builder> setter) {
        return arguments(what, setter);
    }

    private static OutboxMessage.Builder message() {
        return OutboxMessage.builder("orders").type("OrderPlaced");
    }
}
