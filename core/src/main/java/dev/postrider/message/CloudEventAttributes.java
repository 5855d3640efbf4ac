package dev.postrider.message;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A message as a CloudEvent 1.0: its context attributes, and the headers that remain beside them.
 *
 * <p>The one place that says which field or header of a message is which attribute; each destination only adds its broker's
 * prefix to the names. Immutable and thread-safe; every attribute of our own is checked when it is built.
 *
 * <table>
 * <caption>Where attributes come from</caption>
 * <tr><th>attribute</th><th>message</th></tr>
 * <tr><td>id, type, datacontenttype</td><td>the fields of that meaning</td></tr>
 * <tr><td>specversion</td><td>always 1.0</td></tr>
 * <tr><td>source</td><td>header {@code ce_source}, else the default source</td></tr>
 * <tr><td>subject, time, dataschema</td><td>headers {@code ce_subject}, {@code ce_time}, {@code ce_dataschema}</td></tr>
 * <tr><td>extension x</td><td>header {@code ce_x}; for aggregatetype, correlationid and causationid also the header of that
 * name</td></tr>
 * </table>
 *
 * <p>All other headers stay plain, {@code traceparent} among them: that is where tracing looks for it at every broker.
 */
public final class CloudEventAttributes {

    /** The version of the specification that all events follow. */
    public static final String SPEC_VERSION = "1.0";

    private final Map<String, String> attributes;
    private final String dataContentType;
    private final Headers plainHeaders;
    private final AttributeTypes types;

    private CloudEventAttributes(
            Map<String, String> attributes, String dataContentType, Headers plainHeaders, AttributeTypes types) {
        this.attributes = Collections.unmodifiableMap(attributes);
        this.dataContentType = dataContentType;
        this.plainHeaders = plainHeaders;
        this.types = types;
    }

    /**
     * The attributes of this message, in the form that CloudEvents asks for, or in any form if the message has the header
     * {@link Headers#AS_WRITTEN}.
     *
     * @param defaultSource the source of a message that names none: a URI reference such as {@code /orders}
     * @throws InvalidMessageException if a header makes no valid attribute; the text names the header
     */
    public static CloudEventAttributes of(OutboxMessage message, String defaultSource) {
        Optional<String> asWritten = message.headers().get(Headers.AS_WRITTEN);
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("specversion", SPEC_VERSION);
        attributes.put("id", message.id().text());
        String source = sourceOf(message, defaultSource);
        attributes.put("source", asWritten.isPresent() ? source : EventAttribute.SOURCE.checked(source));
        attributes.put("type", EventAttribute.TYPE.checked(message.type()));
        message.headers().asMap().forEach((header, value) -> {
            if (EventAttribute.isAttribute(header)) {
                put(attributes, EventAttribute.nameOf(header), value, message, asWritten.isPresent());
            }
        });
        Headers plain = message.headers().without(header -> !EventAttribute.isPlain(header));
        AttributeTypes types =
                asWritten.isEmpty() ? AttributeTypes.TEXTS : AttributeTypes.of(asWritten.get(), attributes);
        return new CloudEventAttributes(attributes, message.contentType(), plain, types);
    }

    /**
     * Refuses a message that makes no valid event, which any destination would reject.
     *
     * @throws InvalidMessageException as {@link #of(OutboxMessage, String)} does
     */
    public static void check(OutboxMessage message) {
        CloudEventAttributes unused = of(message, "/");
    }

    private static String sourceOf(OutboxMessage message, String defaultSource) {
        return message.headers().get(Headers.SOURCE).orElse(defaultSource);
    }

    /** A header may repeat what a field of the message says, but not contradict it. What is known already was checked. */
    private static void put(
            Map<String, String> attributes, String name, String value, OutboxMessage message, boolean asWritten) {
        boolean isContentType = name.equals("datacontenttype");
        String known = isContentType ? message.contentType() : attributes.get(name);
        if (known != null && !known.equals(value)) {
            throw new InvalidMessageException(
                    "headers", "give the CloudEvents attribute " + name + " a second value; leave one of them out");
        }
        if (known == null && asWritten) {
            attributes.put(EventAttribute.anyName(name), value);
        } else if (known == null) {
            attributes.put(name, EventAttribute.named(name).checked(value));
        }
    }

    /**
     * The attributes of an event that a broker delivered, as its producer wrote them.
     *
     * @param attributes all but the content type, by their names in the specification, without a broker's prefix
     * @param plainHeaders the headers that are no attributes
     * @throws InvalidMessageException if a required attribute is missing, the version is not 1.0, or the time is not a timestamp
     */
    public static CloudEventAttributes of(
            Map<String, String> attributes, String dataContentType, Headers plainHeaders) {
        Map<String, String> checked = new LinkedHashMap<>();
        for (String required : new String[] {"specversion", "id", "source", "type"}) {
            if (!attributes.containsKey(required)) {
                throw new InvalidMessageException(required, "is missing; every CloudEvent has this attribute");
            }
            checked.put(required, "");
        }
        attributes.forEach((name, value) -> checked.put(EventAttribute.anyName(name), value));
        for (String checkedForm : new String[] {"specversion", "time"}) {
            Optional.ofNullable(attributes.get(checkedForm)).ifPresent(EventAttribute.named(checkedForm)::checked);
        }
        return new CloudEventAttributes(checked, dataContentType, plainHeaders, AttributeTypes.TEXTS);
    }

    public String id() {
        return required("id");
    }

    public String source() {
        return required("source");
    }

    public String type() {
        return required("type");
    }

    private String required(String attribute) {
        return Objects.requireNonNull(attributes.get(attribute), attribute);
    }

    public Optional<String> subject() {
        return get("subject");
    }

    /** When it happened, as written: a timestamp of RFC 3339. */
    public Optional<String> time() {
        return get("time");
    }

    public Optional<String> dataSchema() {
        return get("dataschema");
    }

    public String dataContentType() {
        return dataContentType;
    }

    /** Any attribute but the content type, extensions included. */
    public Optional<String> get(String name) {
        return Optional.ofNullable(attributes.get(name));
    }

    /**
     * An attribute as a broker that knows types should carry it: a {@link String}, unless its producer gave it as a {@link Number} or
     * {@link Boolean}.
     */
    public Optional<Object> value(String name) {
        return get(name).map(text -> types.value(name, text));
    }

    /** Whether an attribute is a text, and not a number or a truth value. */
    public boolean isText(String name) {
        return types.isText(name);
    }

    /** All attributes but the content type, for which each broker has a place of its own; an unmodifiable view. */
    public Map<String, String> asMap() {
        return attributes;
    }

    /** The attributes that are not part of the specification. */
    public Map<String, String> extensions() {
        Map<String, String> extensions = new LinkedHashMap<>(attributes);
        extensions.keySet().removeIf(EventAttribute::isInSpecification);
        return Collections.unmodifiableMap(extensions);
    }

    /** The headers of the message that are no attributes. */
    public Headers plainHeaders() {
        return plainHeaders;
    }

    /**
     * The message again: id, type, content type and headers; payload and key remain to be set.
     */
    public OutboxMessage.Builder toMessage(String topic) {
        return OutboxMessage.builder(topic)
                .id(MessageId.of(id()))
                .type(type())
                .contentType(dataContentType)
                .headers(messageHeaders());
    }

    private Headers messageHeaders() {
        Map<String, String> headers = new LinkedHashMap<>();
        attributes.forEach(
                (name, value) -> EventAttribute.headerOf(name).ifPresent(header -> headers.put(header, value)));
        headers.putAll(plainHeaders.asMap());
        return Headers.of(headers);
    }

    /** Id, source and type: enough to find it, nothing confidential. */
    @Override
    public String toString() {
        return "CloudEventAttributes[id=" + id() + ", source=" + source() + ", type=" + type() + "]";
    }
}
