package dev.postrider.bench.report;

import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A flat JSON object of texts, numbers and flags on one line. Stateless. */
final class JsonLine {

    private static final JsonFactory JSON = new JsonFactory();

    private JsonLine() {}

    static String write(Map<String, Object> fields) {
        StringWriter line = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(ObjectWriteContext.empty(), line)) {
            generator.writeStartObject();
            fields.forEach((name, value) -> write(generator, name, value));
            generator.writeEndObject();
        }
        return line.toString();
    }

    private static void write(JsonGenerator generator, String name, Object value) {
        generator.writeName(name);
        if (value instanceof Integer || value instanceof Long) {
            generator.writeNumber(((Number) value).longValue());
        } else if (value instanceof Number number) {
            generator.writeNumber(number.doubleValue());
        } else if (value instanceof Boolean flag) {
            generator.writeBoolean(flag);
        } else {
            generator.writeString(value.toString());
        }
    }

    /** @throws tools.jackson.core.JacksonException if the line is no JSON */
    static Map<String, Object> read(String line) {
        Map<String, Object> fields = new LinkedHashMap<>();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), line)) {
            parser.nextToken();
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                fields.put(name, value(parser, parser.nextToken()));
            }
        }
        return fields;
    }

    private static Object value(JsonParser parser, JsonToken token) {
        return switch (token) {
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> parser.getString();
        };
    }
}
