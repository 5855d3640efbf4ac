package dev.postrider.prove.broker;

import dev.postrider.prove.check.Arrival;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The payload of a message under proof: key and number, each on a line of its own, or both as an array of JSON. */
public final class Content {

    private Content() {}

    public static byte[] payload(Optional<String> key, long n) {
        return (key.orElse("") + "\n" + n + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** The same for tables that hold JSON; databases may put spaces into it. */
    public static byte[] json(Optional<String> key, long n) {
        return "[\"%s\", %d]".formatted(key.orElse(""), n).getBytes(StandardCharsets.UTF_8);
    }

    /** What nobody under proof has written is shown as it is: it must not pass as one of ours. */
    public static Arrival arrival(String id, byte[] payload) {
        String text = new String(payload, StandardCharsets.UTF_8);
        String[] lines = text.startsWith("[\"")
                ? text.substring(2).replaceAll("\\s|]", "").split("\",", -1)
                : text.split("\n", -1);
        try {
            Optional<String> key = Optional.of(lines[0]).filter(first -> !first.isEmpty());
            return new Arrival(id, key, Long.parseLong(lines[1]));
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException foreign) {
            return new Arrival("foreign:" + id, Optional.empty(), 0);
        }
    }
}
