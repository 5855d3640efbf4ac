package dev.postrider.console;

import dev.postrider.service.operation.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An answer, for whatever server. The body is not copied: do not change it.
 *
 * @param headers all that are to be sent beside the length
 */
public record ConsoleResponse(int status, Map<String, String> headers, byte[] body) {

    static ConsoleResponse json(int status, Map<String, ?> fields) {
        return of(status, "application/json", Json.write(fields).getBytes(StandardCharsets.UTF_8))
                .with("Cache-Control", "no-store");
    }

    static ConsoleResponse error(int status, String problem) {
        return json(status, Map.of("error", problem));
    }

    static ConsoleResponse of(int status, String contentType, byte[] body) {
        return new ConsoleResponse(status, Map.of("Content-Type", contentType), body);
    }

    /** The same with one more header. */
    ConsoleResponse with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new ConsoleResponse(status, more, body);
    }
}
