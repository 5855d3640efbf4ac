package dev.postrider.bus;

import dev.postrider.message.Due;
import dev.postrider.message.MessageId;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What an event says of itself beside its data, and how it travels. Immutable; what a call does not say, the publisher's defaults do.
 *
 * <pre>{@code
 * PublishOptions.none().withKey(book.id()).withSubject(book.id())
 * }</pre>
 */
public final class PublishOptions {

    private static final PublishOptions NONE = new PublishOptions(Map.of(), Map.of(), Map.of());

    /** The single-valued options; their meaning is said at the methods that set them. */
    private enum Option {
        ID,
        SOURCE,
        SUBJECT,
        TIME,
        DATA_SCHEMA,
        CONTENT_TYPE,
        TOPIC,
        KEY,
        DEDUP_KEY,
        DUE
    }

    private final Map<Option, Object> values;
    private final Map<String, String> extensions;
    private final Map<String, String> headers;

    private PublishOptions(Map<Option, Object> values, Map<String, String> extensions, Map<String, String> headers) {
        this.values = values;
        this.extensions = extensions;
        this.headers = headers;
    }

    public static PublishOptions none() {
        return NONE;
    }

    /** The CloudEvents id, which stays the same on every redelivery. Default: a new UUIDv7. */
    public PublishOptions withId(MessageId id) {
        return with(Option.ID, id);
    }

    /** The CloudEvents source: a URI reference such as {@code /books}. Default: {@value EventPublishers#DEFAULT_SOURCE}. */
    public PublishOptions withSource(String source) {
        return with(Option.SOURCE, source);
    }

    /** What the event is about within its source, such as a book's number. Default: none. */
    public PublishOptions withSubject(String subject) {
        return with(Option.SUBJECT, subject);
    }

    /** When it happened. Default: now. */
    public PublishOptions withTime(Instant time) {
        return withTime(time.atOffset(ZoneOffset.UTC));
    }

    /** When it happened, written with this offset. */
    public PublishOptions withTime(OffsetDateTime time) {
        return with(Option.TIME, time);
    }

    /** The schema of the data: an absolute URI. Default: none. */
    public PublishOptions withDataSchema(URI schema) {
        return with(Option.DATA_SCHEMA, schema);
    }

    /** Selects the codec. Default: that of the first codec that supports the data. */
    public PublishOptions withContentType(String contentType) {
        return with(Option.CONTENT_TYPE, contentType);
    }

    /** Where it goes at the broker. Default: the topic of the type, which is its service unless the type says otherwise. */
    public PublishOptions withTopic(String topic) {
        return with(Option.TOPIC, topic);
    }

    /** The entity it belongs to; events of one key are delivered in order. Default: none, and then no order is kept. */
    public PublishOptions withKey(String key) {
        return with(Option.KEY, key);
    }

    /**
     * The key is the value of this attribute, {@code subject} or an extension; an event without it has no key. Takes the place of
     * {@link #withKey}. Default: none.
     */
    public PublishOptions withKeyAttribute(String attribute) {
        return with(Option.KEY, new KeyAttribute(Objects.requireNonNull(attribute, "attribute")));
    }

    /** Where the key stands. */
    private record KeyAttribute(String name) {}

    /** Makes a second publishing through the same outbox a no-op. Default: none. */
    public PublishOptions withDedupKey(String dedupKey) {
        return with(Option.DEDUP_KEY, dedupKey);
    }

    /** Not before this instant, by the database's clock; for publishing through an outbox only. */
    public PublishOptions withDeliverAt(Instant instant) {
        return with(Option.DUE, Due.at(instant));
    }

    /** Not before this much time has passed; for publishing through an outbox only. */
    public PublishOptions withDeliverAfter(Duration delay) {
        return with(Option.DUE, Due.after(delay));
    }

    /** A CloudEvents extension attribute; the name has lower-case letters and digits only. */
    public PublishOptions withExtension(String name, String value) {
        return new PublishOptions(values, copyWith(extensions, name, value), headers);
    }

    /** A header that is no attribute of the event, such as {@code traceparent}. */
    public PublishOptions withHeader(String name, String value) {
        return new PublishOptions(values, extensions, copyWith(headers, name, value));
    }

    /** These options, and where they say nothing the given ones. Extensions and headers are joined. */
    public PublishOptions orElse(PublishOptions defaults) {
        return new PublishOptions(
                joined(defaults.values, values),
                joined(defaults.extensions, extensions),
                joined(defaults.headers, headers));
    }

    public Optional<MessageId> id() {
        return get(Option.ID, MessageId.class);
    }

    public Optional<String> source() {
        return get(Option.SOURCE, String.class);
    }

    public Optional<String> subject() {
        return get(Option.SUBJECT, String.class);
    }

    public Optional<OffsetDateTime> time() {
        return get(Option.TIME, OffsetDateTime.class);
    }

    public Optional<URI> dataSchema() {
        return get(Option.DATA_SCHEMA, URI.class);
    }

    public Optional<String> contentType() {
        return get(Option.CONTENT_TYPE, String.class);
    }

    public Optional<String> topic() {
        return get(Option.TOPIC, String.class);
    }

    public Optional<String> key() {
        Object key = values.get(Option.KEY);
        if (key instanceof KeyAttribute attribute) {
            return attribute.name().equals("subject")
                    ? subject()
                    : Optional.ofNullable(extensions.get(attribute.name()));
        }
        return get(Option.KEY, String.class);
    }

    public Optional<String> dedupKey() {
        return get(Option.DEDUP_KEY, String.class);
    }

    public Optional<Due> due() {
        return get(Option.DUE, Due.class);
    }

    public Map<String, String> extensions() {
        return extensions;
    }

    public Map<String, String> headers() {
        return headers;
    }

    private PublishOptions with(Option option, Object value) {
        Objects.requireNonNull(value, option.name());
        Map<Option, Object> copy = new LinkedHashMap<>(values);
        copy.put(option, value);
        return new PublishOptions(Collections.unmodifiableMap(copy), extensions, headers);
    }

    private <T> Optional<T> get(Option option, Class<T> type) {
        return Optional.ofNullable(type.cast(values.get(option)));
    }

    private static Map<String, String> copyWith(Map<String, String> map, String name, String value) {
        Objects.requireNonNull(name, "name");
        return joined(map, Map.of(name, Objects.requireNonNull(value, name)));
    }

    private static <K, V> Map<K, V> joined(Map<K, V> below, Map<K, V> above) {
        Map<K, V> joined = new LinkedHashMap<>(below);
        joined.putAll(above);
        return Collections.unmodifiableMap(joined);
    }
}
