package dev.postrider.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageIdGenerator;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.CodecException;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What publishers fill in, check and call (A000-01, -02 and -05 of the reference). */
class EventPublisherTest {

    private static final EventType<String> CREATED = EventType.of("example.books.v1.BookCreated", String.class);
    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00.123Z");

    private final CodecRegistry codecs = CodecRegistry.of(new TextCodec("proto"), new TextCodec("json"));
    private final SentMessages sent = new SentMessages();
    private final List<String> calls = new ArrayList<>();

    private EventPublishers.Builder builder() {
        return EventPublishers.builder(codecs).clock(Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private CloudEventAttributes publish(EventPublishers.Builder publishers, PublishOptions options) {
        OutboxMessage message = publishers.build().to(sent).publish(CREATED, "Ulysses", options);
        assertThat(sent.messages).containsExactly(message);
        return CloudEventAttributes.of(message, "/none");
    }

    @Test
    void fillsInWhatNobodySaid() {
        CloudEventAttributes event = publish(builder(), PublishOptions.none());

        assertThat(event.get("specversion")).contains("1.0");
        assertThat(MessageId.of(event.id()).toUuid().version()).isEqualTo(7);
        assertThat(event.type()).isEqualTo("example.books.v1.BookCreated");
        assertThat(event.source()).isEqualTo("postrider");
        assertThat(event.time()).contains("2026-01-31T12:00:00.123Z");
        assertThat(event.subject()).isEmpty();
        assertThat(event.dataContentType()).isEqualTo("application/proto");
        OutboxMessage message = sent.messages.get(0);
        assertThat(message.topic()).isEqualTo("example.books.v1");
        assertThat(message.key()).isEmpty();
        assertThat(new String(message.payload(), StandardCharsets.UTF_8)).isEqualTo("proto:Ulysses");
    }

    @Test
    void carriesEveryOption() {
        MessageId id = MessageIdGenerator.uuidV7().next();

        CloudEventAttributes event = publish(
                builder(),
                PublishOptions.none()
                        .withId(id)
                        .withSource("/books")
                        .withSubject("17")
                        .withTime(OffsetDateTime.parse("2026-01-31T14:00:00+02:00"))
                        .withDataSchema(URI.create("https://example.com/book"))
                        .withContentType("Application/JSON")
                        .withTopic("books")
                        .withKey("book-17")
                        .withExtension("tenant", "blue")
                        .withHeader("plain", "value"));

        assertThat(event.id()).isEqualTo(id.toString());
        assertThat(event.source()).isEqualTo("/books");
        assertThat(event.subject()).contains("17");
        assertThat(event.time()).contains("2026-01-31T14:00:00+02:00");
        assertThat(event.dataSchema()).contains("https://example.com/book");
        assertThat(event.dataContentType()).isEqualTo("application/json");
        assertThat(event.extensions()).isEqualTo(Map.of("tenant", "blue"));
        assertThat(event.plainHeaders().asMap()).isEqualTo(Map.of("plain", "value"));
        OutboxMessage message = sent.messages.get(0);
        assertThat(message.topic()).isEqualTo("books");
        assertThat(message.key()).contains("book-17");
        assertThat(new String(message.payload(), StandardCharsets.UTF_8)).isEqualTo("json:Ulysses");
    }

    @Test
    void takesTheKeyFromAnAttribute() {
        PublishOptions about = PublishOptions.none().withSubject("17").withExtension("tenant", "blue");

        assertThat(key(CREATED, about.withKeyAttribute("subject"), PublishOptions.none()))
                .contains("17");
        assertThat(key(CREATED, about.withKeyAttribute("tenant"), PublishOptions.none()))
                .contains("blue");
        assertThat(key(CREATED, about.withKeyAttribute("none"), PublishOptions.none()))
                .isEmpty();
        assertThat(key(CREATED, about, PublishOptions.none().withKeyAttribute("tenant")))
                .contains("blue");
        assertThat(key(CREATED, about.withKey("own"), PublishOptions.none().withKeyAttribute("tenant")))
                .contains("own");
        assertThat(key(
                        CREATED,
                        about.withKeyAttribute("subject"),
                        PublishOptions.none().withKey("own")))
                .contains("17");
    }

    @Test
    void givesTheKeyOfTheTypeToAnEventThatHasNoOther() {
        EventType<String> inOrder = CREATED.withDefaultKey("example.books.v1");

        assertThat(key(inOrder, PublishOptions.none(), PublishOptions.none())).contains("example.books.v1");
        assertThat(key(inOrder, PublishOptions.none().withKey("17"), PublishOptions.none()))
                .contains("17");
        assertThat(key(inOrder, PublishOptions.none(), PublishOptions.none().withKey("all")))
                .contains("all");
    }

    private Optional<String> key(EventType<String> type, PublishOptions call, PublishOptions defaults) {
        return builder()
                .defaults(defaults)
                .build()
                .to(sent)
                .publish(type, "Ulysses", call)
                .key();
    }

    @Test
    void letsTheCallWinOverTheDefaults() {
        PublishOptions defaults = PublishOptions.none()
                .withSource("/default")
                .withSubject("default")
                .withExtension("a", "default");

        CloudEventAttributes event = publish(
                builder().defaults(defaults).defaults(PublishOptions.none().withSubject("later")),
                PublishOptions.none().withSource("/call").withExtension("b", "call"));

        assertThat(event.source()).isEqualTo("/call");
        assertThat(event.subject()).contains("later");
        assertThat(event.extensions()).isEqualTo(Map.of("a", "default", "b", "call"));
    }

    @Test
    void callsInterceptorsInTheOrderGivenAndTheSameRestAgain() {
        EventPublisher publisher = builder()
                .intercept(noting("A"))
                .intercept((publication, next) -> {
                    calls.add("B");
                    next.proceed(publication);
                    return next.proceed(publication);
                })
                .intercept(noting("C"))
                .build()
                .to(sent);

        publisher.publish(CREATED, "Ulysses");

        assertThat(calls).containsExactly("A", "B", "C", "C");
        assertThat(sent.messages).hasSize(2);
        assertThat(sent.messages.get(1).id()).isEqualTo(sent.messages.get(0).id());
    }

    private PublishInterceptor noting(String name) {
        return (publication, next) -> {
            calls.add(name);
            return next.proceed(publication);
        };
    }

    @Test
    void letsAnInterceptorChangeTheOptions() {
        CloudEventAttributes event = publish(
                builder()
                        .intercept((publication, next) -> next.proceed(
                                publication.withOptions(publication.options().withSubject("changed")))),
                PublishOptions.none().withSubject("original"));

        assertThat(event.subject()).contains("changed");
    }

    @Test
    void showsInterceptorsOfAListWhetherEachEventWasSent() {
        List<String> outcomes = new ArrayList<>();
        EventPublisher publisher = builder()
                .intercept((publication, next) -> {
                    try {
                        OutboxMessage message = next.proceed(publication);
                        outcomes.add("sent");
                        return message;
                    } catch (PublishFailedException failure) {
                        outcomes.add("failed");
                        throw failure;
                    }
                })
                .build()
                .to(Destination.blocking("second-fails", message -> {
                    if (outcomes.size() == 1) {
                        throw new IllegalStateException("no");
                    }
                }));
        List<Publication> list = List.of(Publication.of(CREATED, "a"), Publication.of(CREATED, "b"));

        assertThatThrownBy(() -> publisher.publishAll(list)).isInstanceOf(PublishFailedException.class);

        assertThat(outcomes).containsExactly("sent", "failed");
    }

    @Test
    void encodesAllOfAListBeforeTheFirstIsSent() {
        EventPublisher publisher = builder().build().to(sent);
        List<Publication> list = List.of(
                Publication.of(CREATED, "a"),
                Publication.of(CREATED, "b", PublishOptions.none().withContentType("application/unknown")));

        assertThatThrownBy(() -> publisher.publishAll(list)).isInstanceOf(CodecException.class);

        assertThat(sent.messages).isEmpty();
    }

    @Test
    void refusesWhatMakesNoCloudEventBeforeAnythingIsSent() {
        EventPublisher publisher = builder().build().to(sent);

        assertThatThrownBy(() ->
                        publisher.publish(CREATED, "a", PublishOptions.none().withSource("not a uri")))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("source");
        assertThatThrownBy(() ->
                        publisher.publish(CREATED, "a", PublishOptions.none().withExtension("Tenant", "x")))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("Tenant");
        assertThatThrownBy(() ->
                        publisher.publish(CREATED, "a", PublishOptions.none().withExtension("id", "x")))
                .hasMessageContaining("'id' is an attribute of CloudEvents itself");
        assertThatThrownBy(() ->
                        publisher.publish(CREATED, "a", PublishOptions.none().withContentType("text/plain")))
                .isInstanceOf(CodecException.class);
        assertThat(sent.messages).isEmpty();
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void refusesDataOfAnotherClass() {
        EventPublisher publisher = builder().build().to(sent);

        assertThatThrownBy(() -> publisher.publish((EventType) CREATED, 42))
                .hasMessageContaining("java.lang.String, not java.lang.Integer");
    }

    @Test
    void saysWhetherTryingAgainMayHelp() {
        EventPublisher publisher = builder().build().to(sent);

        sent.answer = DeliveryResult.reject("too large");
        assertThatThrownBy(() -> publisher.publish(CREATED, "a"))
                .isInstanceOfSatisfying(PublishFailedException.class, failure -> {
                    assertThat(failure.isWorthRetrying()).isFalse();
                    assertThat(failure)
                            .hasMessageContaining("too large")
                            .hasMessageContaining(failure.id().toString());
                });
        sent.answer = DeliveryResult.outage("gone");
        assertThatThrownBy(() -> publisher.publish(CREATED, "a"))
                .isInstanceOfSatisfying(
                        PublishFailedException.class,
                        failure -> assertThat(failure.isWorthRetrying()).isTrue());
    }

    private static final class SentMessages implements Destination {

        private final List<OutboxMessage> messages = new ArrayList<>();
        private DeliveryResult answer = DeliveryResult.DELIVERED;

        @Override
        public String name() {
            return "recorder";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            messages.add(message);
            return CompletableFuture.completedFuture(answer);
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(1);
        }
    }
}
