package dev.postrider.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;

/** The page and its parts, out of the jar; a fixed list, so that no path leads anywhere else. Thread-safe. */
final class StaticFiles {

    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final Map<String, String> TYPES = Map.of(
            "index.html", "text/html; charset=utf-8",
            "style.css", "text/css; charset=utf-8",
            "icon.svg", "image/svg+xml",
            "app.js", SCRIPT,
            "core.js", SCRIPT,
            "pages.js", SCRIPT,
            "messages.js", SCRIPT,
            "preact.js", SCRIPT,
            "live.js", SCRIPT,
            "follow.js", SCRIPT);

    private final Map<String, byte[]> read = new ConcurrentHashMap<>();

    /** The file at this path, or that the browser has it already; empty if there is none. */
    Optional<ConsoleResponse> find(ConsoleRequest request) {
        String name = request.path().equals("/") ? "index.html" : request.path().substring(1);
        return Optional.ofNullable(TYPES.get(name)).map(type -> answer(request, name, type));
    }

    private ConsoleResponse answer(ConsoleRequest request, String name, String type) {
        byte[] body = read.computeIfAbsent(name, StaticFiles::load);
        String tag = tag(body);
        ConsoleResponse answer = request.header("if-none-match").equals(Optional.of(tag))
                ? ConsoleResponse.of(304, type, new byte[0])
                : ConsoleResponse.of(200, type, body);
        return answer.with("ETag", tag).with("Cache-Control", "no-cache");
    }

    static byte[] load(String name) {
        try (InputStream file = StaticFiles.class.getResourceAsStream("page/" + name)) {
            if (file == null) {
                throw new IllegalStateException("The page lacks its part " + name);
            }
            return file.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String tag(byte[] body) {
        CRC32 sum = new CRC32();
        sum.update(body);
        return "\"" + HexFormat.of().toHexDigits(sum.getValue()) + "\"";
    }

    static String text(String name) {
        return new String(load(name), StandardCharsets.UTF_8);
    }
}
