package dev.postrider.console;

import dev.postrider.service.console.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One thing that can be asked of the API.
 *
 * @param path with names in braces in the place of what varies
 * @param needed what its caller must be allowed to do
 */
record Route(String method, String path, Role needed, Handler handler) {

    /** The path of one outbox. */
    static final String OUTBOX = "/api/outboxes/{outbox}";

    /** Answers one call. */
    @FunctionalInterface
    interface Handler {
        ConsoleResponse handle(Call call);
    }

    /** Changes nothing. */
    static Route read(String path, Handler handler) {
        return new Route("GET", path, Role.METADATA, handler);
    }

    static Route write(String path, Handler handler) {
        return new Route("POST", path, Role.OPERATE, handler);
    }

    /** What stands in the place of its names; empty if it is another path. */
    Optional<List<String>> match(String asked) {
        String[] wanted = path.split("/", -1);
        String[] given = asked.split("/", -1);
        if (wanted.length != given.length) {
            return Optional.empty();
        }
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i].startsWith("{")) {
                parts.add(given[i]);
            } else if (!wanted[i].equals(given[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(parts);
    }
}
