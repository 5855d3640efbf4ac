package dev.postrider.testservers;

import java.util.List;
import java.util.Map;

/** Command-line options as MySQL and MariaDB write them. */
final class ServerOptions {
    private ServerOptions() {}

    static List<String> render(Map<String, String> options) {
        return options.entrySet().stream()
                .map(option -> "--" + option.getKey() + (option.getValue().isEmpty() ? "" : "=" + option.getValue()))
                .toList();
    }
}
