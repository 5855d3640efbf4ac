package dev.postrider.destination.rabbitmq;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads JSON as far as events need it: checks that a text is one JSON value, and splits an object into its members without
 * looking into them. Strict, as in RFC 8259, and of two members with one name none is preferred: both are refused.
 */
final class JsonReader {

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private JsonReader() {}

    /**
     * The value of a member.
     *
     * @param source its exact text
     * @param scalar what a string says, or the text of a number, true or false; nothing for null, objects and arrays
     */
    record Value(String source, Optional<String> scalar) {

        boolean isNull() {
            return source.equals("null");
        }
    }

    /**
     * Returns if the text is one JSON value.
     *
     * @throws IllegalArgumentException if not; the message says where it goes wrong
     */
    static void check(String json) {
        read(json, parser -> {
            parser.nextToken();
            parser.skipChildren();
            // Strings are read on demand only, and this one may be broken.
            parser.finishToken();
            return parser;
        });
    }

    /**
     * The members of an object, in their order.
     *
     * @throws IllegalArgumentException if the text is anything else
     */
    static Map<String, Value> members(String json) {
        return read(json, parser -> {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw wrongAt(parser.currentTokenLocation());
            }
            Map<String, Value> members = new LinkedHashMap<>();
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                members.put(name, value(parser, json));
            }
            return members;
        });
    }

    private static Value value(JsonParser parser, String json) {
        JsonToken token = parser.nextToken();
        int start = Math.toIntExact(parser.currentTokenLocation().getCharOffset());
        boolean hasScalar = token.isScalarValue() && token != JsonToken.VALUE_NULL;
        Optional<String> scalar = hasScalar ? Optional.of(parser.getString()) : Optional.empty();
        parser.skipChildren();
        int end = Math.toIntExact(parser.currentLocation().getCharOffset());
        return new Value(json.substring(start, end), scalar);
    }

    private static <T> T read(String json, Reading<T> reading) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            T result = reading.of(parser);
            if (parser.currentToken() == null || parser.nextToken() != null) {
                throw wrongAt(parser.currentTokenLocation());
            }
            return result;
        } catch (StreamConstraintsException excessive) {
            throw new IllegalArgumentException("it is nested too deep, or a name in it is too long", excessive);
        } catch (JacksonException invalid) {
            throw wrongAt(invalid.getLocation());
        }
    }

    /** Names the place, never the content, which may be confidential; the parser's own message quotes it. */
    private static IllegalArgumentException wrongAt(TokenStreamLocation place) {
        return new IllegalArgumentException(
                "it goes wrong in line %d, column %d".formatted(place.getLineNr(), place.getColumnNr()));
    }

    private interface Reading<T> {
        T of(JsonParser parser);
    }
}
