package dev.postrider.store.existing;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/** The members of a JSON object that others have written, in their order; what lies deeper stays as it is written. */
final class JsonMembers {

    private static final JsonFactory JSON = new JsonFactory();

    private JsonMembers() {}

    /**
     * The value of a member.
     *
     * @param source as it is written
     * @param scalar what a text says, or a number, true or false as it is written; nothing for null, objects and arrays
     */
    record Value(String source, Optional<String> scalar) {

        boolean isNull() {
            return source.equals("null");
        }

        boolean isText() {
            return source.startsWith("\"");
        }

        boolean isObject() {
            return source.startsWith("{");
        }

        boolean isTruthValue() {
            return source.equals("true") || source.equals("false");
        }

        boolean isNumber() {
            return scalar.isPresent() && !isText() && !isTruthValue();
        }

        /** As a header, which is a text: what is no scalar remains JSON. */
        Optional<String> asHeader() {
            return isNull() ? Optional.empty() : scalar.or(() -> Optional.of(source));
        }
    }

    /** @throws IllegalArgumentException if it is no JSON object; the message tells where, and quotes nothing of it */
    static Map<String, Value> of(String json) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("it is no JSON object");
            }
            Map<String, Value> members = new LinkedHashMap<>();
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                members.put(name, value(parser, json));
            }
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("something follows its JSON object");
            }
            return members;
        } catch (StreamConstraintsException excessive) {
            throw new IllegalArgumentException("it is nested too deep, or something in it is too long", excessive);
        } catch (JacksonException invalid) {
            throw new IllegalArgumentException(
                    "it is no JSON from character %d on"
                            .formatted(invalid.getLocation().getCharOffset()),
                    invalid);
        }
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
}
