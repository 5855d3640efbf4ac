package dev.postrider.bus;

import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.Due;
import dev.postrider.message.Headers;
import dev.postrider.message.MessageIdGenerator;
import dev.postrider.message.OutboxMessage;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Turns a publication into a message that is a valid CloudEvent. */
final class MessageEncoder {

    private final CodecRegistry codecs;
    private final MessageIdGenerator idGenerator;
    private final Clock clock;

    MessageEncoder(CodecRegistry codecs, MessageIdGenerator idGenerator, Clock clock) {
        this.codecs = codecs;
        this.idGenerator = idGenerator;
        this.clock = clock;
    }

    /** The options with an id and a time. */
    PublishOptions identified(PublishOptions options) {
        PublishOptions withId = options.id().isPresent() ? options : options.withId(idGenerator.next());
        return withId.time().isPresent() ? withId : withId.withTime(clock.instant());
    }

    OutboxMessage encode(Publication publication) {
        PublishOptions options = publication.options();
        String contentType = options.contentType()
                .map(MessageEncoder::lowerCased)
                .orElseGet(() -> codecs.defaultContentType(publication.data().getClass()));
        OutboxMessage.Builder message = OutboxMessage.builder(
                        options.topic().orElseGet(() -> publication.type().topic()), idGenerator)
                .type(publication.type().name())
                .contentType(contentType)
                .headers(headers(options))
                .payload(codecs.find(contentType, publication.data().getClass()).encode(publication.data()));
        options.id().ifPresent(message::id);
        options.key().or(() -> publication.type().defaultKey()).ifPresent(message::key);
        options.dedupKey().ifPresent(message::dedupKey);
        options.due().ifPresent(due -> setDue(message, due));
        return checked(message.build());
    }

    /** Consumers on other buses compare it letter by letter. Parameters, in which case may count, stay as they are. */
    private static String lowerCased(String contentType) {
        int end = contentType.indexOf(';') < 0 ? contentType.length() : contentType.indexOf(';');
        return contentType.substring(0, end).toLowerCase(Locale.ROOT) + contentType.substring(end);
    }

    private Headers headers(PublishOptions options) {
        Map<String, String> headers = new LinkedHashMap<>(options.headers());
        options.extensions().forEach((name, value) -> headers.put(Headers.EXTENSION_PREFIX + checkedName(name), value));
        headers.put(Headers.SOURCE, options.source().orElse(EventPublishers.DEFAULT_SOURCE));
        options.subject().ifPresent(subject -> headers.put(Headers.SUBJECT, subject));
        options.time().ifPresent(time -> headers.put(Headers.TIME, timestamp(time)));
        options.dataSchema().ifPresent(schema -> headers.put(Headers.DATA_SCHEMA, schema.toString()));
        return Headers.of(headers);
    }

    /** An extension must not pass for an attribute that has an option of its own. */
    private static String checkedName(String extension) {
        if (SpecifiedAttribute.isOne(extension)) {
            throw new IllegalArgumentException(
                    "Extension '" + extension + "' is an attribute of CloudEvents itself; use the option for it");
        }
        return extension;
    }

    private static String timestamp(OffsetDateTime time) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time);
    }

    private static void setDue(OutboxMessage.Builder message, Due due) {
        if (due instanceof Due.At at) {
            message.deliverAt(at.instant());
        } else if (due instanceof Due.After after) {
            message.deliverAfter(after.delay());
        }
    }

    /** A broken attribute is refused here, where the caller can see it, and not by the relay. */
    private static OutboxMessage checked(OutboxMessage message) {
        CloudEventAttributes.of(message, EventPublishers.DEFAULT_SOURCE);
        return message;
    }

    /** The names that CloudEvents 1.0 itself defines. */
    private static final class SpecifiedAttribute {

        private static final Set<String> NAMES = Set.of(
                "specversion", "id", "source", "type", "subject", "time", "dataschema", "datacontenttype", "data");

        private SpecifiedAttribute() {}

        static boolean isOne(String name) {
            return NAMES.contains(name);
        }
    }
}
