package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import dev.postrider.internal.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Reads a message by the rules of the existing bus, written down a second time here so that no error of ours can hide. */
final class ReferenceReader {

    private ReferenceReader() {}

    /** Attributes, extensions under their names, and {@code data}; fails where that bus would. */
    static Map<String, String> read(GetResponse got) {
        return "application/cloudevents+json".equals(got.getProps().getContentType()) ? structured(got) : binary(got);
    }

    private static Map<String, String> binary(GetResponse got) {
        BasicProperties properties = got.getProps();
        Map<String, String> event = new TreeMap<>();
        event.put("type", required("type", properties.getType()));
        event.put("datacontenttype", properties.getContentType());
        event.put("data", new String(got.getBody(), StandardCharsets.ISO_8859_1));
        for (String name : new String[] {"specversion", "id", "source"}) {
            event.put(name, required(name, properties.getHeaders().get("cloudEvents:" + name)));
        }
        properties.getHeaders().forEach((name, value) -> {
            if (name.equals("cloudEvents:subject")
                    || name.equals("cloudEvents:time")
                    || name.equals("cloudEvents:dataschema")) {
                event.put(name.substring("cloudEvents:".length()), value.toString());
            } else if (!name.startsWith("cloudEvents")) {
                event.put(name, value.toString());
            }
        });
        return event;
    }

    private static String required(String name, Object value) {
        if (value == null) {
            throw new AssertionError("required attribute '" + name + "' is missing");
        }
        return value.toString();
    }

    /** Takes strings by trimming quotes, without unescaping, as that bus does. */
    private static Map<String, String> structured(GetResponse got) {
        Map<String, String> event = new TreeMap<>();
        JsonText.members(new String(got.getBody(), StandardCharsets.UTF_8))
                .forEach((name, value) -> event.put(
                        name,
                        name.equals("data") ? value.source() : value.source().replaceAll("^\"|\"$", "")));
        for (String name : new String[] {"specversion", "type", "id", "source", "data"}) {
            required(name, event.get(name));
        }
        return event;
    }
}
