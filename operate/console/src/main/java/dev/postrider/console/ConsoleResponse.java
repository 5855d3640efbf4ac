package dev.postrider.console;

import dev.postrider.service.operation.Json;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An answer, for whatever server. The body is not copied: do not change it.
 *
 * @param headers all that are to be sent beside the length
 * @param feed what follows instead of the body; then the length is not known
 */
public record ConsoleResponse(int status, Map<String, String> headers, byte[] body, Optional<Feed> feed) {

    private static final Map<String, String> SAFE_HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "X-Frame-Options",
            "DENY",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Resource-Policy",
            "same-origin");

    /** Every answer, whatever it says, tells the browser to trust nothing but the console itself. */
    public ConsoleResponse {
        Map<String, String> all = new LinkedHashMap<>(SAFE_HEADERS);
        all.putAll(headers);
        headers = Collections.unmodifiableMap(all);
    }

    static ConsoleResponse found(Map<String, ?> fields) {
        return json(200, fields);
    }

    static ConsoleResponse feed(Feed feed) {
        // Proxies would keep lines back until they have many.
        return new ConsoleResponse(200, Map.of("Content-Type", "application/x-ndjson"), new byte[0], Optional.of(feed))
                .with("Cache-Control", "no-store")
                .with("X-Accel-Buffering", "no");
    }

    /** Nobody else is let in for the moment. */
    public static ConsoleResponse tooMany() {
        return error(503, "Too many browsers follow the console; ask for /api/overview instead")
                .with("Retry-After", "60");
    }

    static ConsoleResponse json(int status, Map<String, ?> fields) {
        return of(status, "application/json", Json.write(fields).getBytes(StandardCharsets.UTF_8))
                .with("Cache-Control", "no-store");
    }

    /** With a text that says what is wrong. */
    public static ConsoleResponse error(int status, String problem) {
        return json(status, Map.of("error", problem));
    }

    /** With a body of this type. */
    public static ConsoleResponse of(int status, String contentType, byte[] body) {
        return new ConsoleResponse(status, Map.of("Content-Type", contentType), body, Optional.empty());
    }

    /** The same with one more header. */
    public ConsoleResponse with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new ConsoleResponse(status, more, body, feed);
    }
}
