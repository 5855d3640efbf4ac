package dev.postrider.console;

import dev.postrider.internal.JsonText;
import dev.postrider.service.console.Role;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One call of the API.
 *
 * @param parts what stands in the path in the place of the route's names, decoded
 * @param values the query of a read, the body of a write
 */
record Call(Access.Grant grant, List<String> parts, Map<String, String> values) {

    static Call of(ConsoleRequest request, Access.Grant grant, List<String> parts) {
        return new Call(
                grant,
                parts.stream().map(Call::decode).toList(),
                request.isRead() ? query(request.query()) : body(request.body()));
    }

    private static Map<String, String> query(String query) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0 && equals < pair.length() - 1) {
                values.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
            }
        }
        return values;
    }

    private static Map<String, String> body(String body) {
        Map<String, String> values = new LinkedHashMap<>();
        JsonText.members(body.isBlank() ? "{}" : body)
                .forEach((name, value) -> value.scalar()
                        .or(() -> Optional.of(value.source()).filter(source -> source.startsWith("[")))
                        .ifPresent(text -> values.put(name, text)));
        return values;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    Role role() {
        return grant.role();
    }

    String part(int index) {
        return parts.get(index);
    }

    Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** The texts of a list in the body. */
    Optional<List<String>> list(String name) {
        return value(name)
                .map(list -> JsonText.elements(list).stream()
                        .flatMap(element -> JsonText.members("{\"it\":" + element + "}").values().stream())
                        .map(element -> element.scalar()
                                .orElseThrow(
                                        () -> new IllegalArgumentException("'" + name + "' is not a list of texts")))
                        .toList());
    }

    Optional<Instant> time(String name) {
        try {
            return value(name).map(Instant::parse);
        } catch (DateTimeParseException wrong) {
            throw new IllegalArgumentException("'" + name + "' is no time such as 2026-11-18T10:00:00Z", wrong);
        }
    }

    /** The one of these that stands in the path. */
    String choice(int index, String... choices) {
        return Optional.of(part(index))
                .filter(List.of(choices)::contains)
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no '" + part(index) + "'; there is " + String.join(" and ", choices)));
    }

    boolean flag(String name) {
        return value(name).filter("true"::equals).isPresent();
    }

    int number(String name, int standard, int least, int most) {
        int number;
        try {
            number = value(name).map(Integer::parseInt).orElse(standard);
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException("'" + name + "' is no number", wrong);
        }
        if (number < least || number > most) {
            throw new IllegalArgumentException("'%s' is %d, expected %d to %d".formatted(name, number, least, most));
        }
        return number;
    }
}
