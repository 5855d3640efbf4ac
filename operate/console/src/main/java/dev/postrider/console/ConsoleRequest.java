package dev.postrider.console;

import java.util.Map;
import java.util.Optional;

/**
 * A request, from whatever server. Immutable.
 *
 * @param path below the path of the console, beginning with a slash; not decoded
 * @param query what follows the question mark, not decoded; empty if there is none
 * @param headers by name in lower case; of several with one name the first
 * @param isLocal whether the connection comes from this machine
 * @param body of a POST, as UTF-8
 */
public record ConsoleRequest(
        String method, String path, String query, Map<String, String> headers, boolean isLocal, String body) {

    public ConsoleRequest {
        headers = Map.copyOf(headers);
    }

    ConsoleRequest withBody(String read) {
        return new ConsoleRequest(method, path, query, headers, isLocal, read);
    }

    /** The value of a header, by its name in lower case. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** Whether it can change nothing. */
    public boolean isRead() {
        return method.equals("GET") || method.equals("HEAD");
    }
}
