package dev.postrider.codec.json;

import dev.postrider.spi.Codec;
import dev.postrider.spi.CodecException;
import java.util.Objects;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes and reads records and beans as JSON, by Jackson.
 *
 * <p>Serves {@code application/json} and {@code application/cloudevents+json}. It leaves protobuf messages alone, whatever the order of
 * codecs in a registry: their JSON form is that of the protobuf codec. Thread-safe.
 */
public final class JsonCodec implements Codec {

    private static final String PROTOBUF_MESSAGE = "com.google.protobuf.MessageLite";

    private final JsonMapper mapper;

    private JsonCodec(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /** Ignores fields it does not know, so that producers can add some; times are text. */
    public static JsonCodec withDefaults() {
        return with(JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build());
    }

    /** Writes and reads as this mapper does. */
    public static JsonCodec with(JsonMapper mapper) {
        return new JsonCodec(Objects.requireNonNull(mapper, "mapper"));
    }

    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public Set<String> subtypes() {
        return Set.of("json");
    }

    @Override
    public boolean supports(Class<?> type) {
        return !isProtobufMessage(type);
    }

    /** By name: the class need not be there. */
    private static boolean isProtobufMessage(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (each.getName().equals(PROTOBUF_MESSAGE)) {
                return true;
            }
            for (Class<?> parent : each.getInterfaces()) {
                if (isProtobufMessage(parent)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public byte[] encode(Object value) {
        try {
            return mapper.writeValueAsBytes(value);
        } catch (JacksonException failure) {
            throw new CodecException(
                    "Cannot write " + value.getClass().getName() + " as JSON: " + failure.getOriginalMessage(),
                    failure);
        }
    }

    @Override
    public <T> T decode(byte[] data, Class<T> type) {
        T value;
        try {
            value = mapper.readValue(data, type);
        } catch (JacksonException failure) {
            // Jackson's own text quotes the data.
            throw new CodecException("The data are no JSON form of " + type.getName() + place(failure));
        }
        if (value == null) {
            throw new CodecException("The data are JSON null, expected " + type.getName());
        }
        return value;
    }

    private static String place(JacksonException failure) {
        return failure.getLocation() == null
                ? ""
                : ": line " + failure.getLocation().getLineNr() + ", column "
                        + failure.getLocation().getColumnNr();
    }
}
