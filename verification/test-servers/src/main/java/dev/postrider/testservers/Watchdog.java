package dev.postrider.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A small shell process beside the build. When the owner is gone, by its end, a crash or a kill, it ends every server in
 * the owner's directory and deletes their data; logs stay.
 */
final class Watchdog {
    private Watchdog() {}

    /** Starts the watchdog of that directory unless it has one. The caller holds the lock over all directories. */
    static void guard(ProcessIdentity owner, Path directory) {
        try {
            Files.createDirectories(directory);
            Path record = directory.resolve("watchdog");
            if (Files.exists(record)) {
                return;
            }
            var command = new ArrayList<>(sessionOfItsOwn());
            command.addAll(script(owner, directory));
            Process watchdog = new ProcessBuilder(command)
                    .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            Files.writeString(record, Long.toString(watchdog.pid()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Does at once what the watchdog of that directory should have done, then deletes the directory. */
    static void clearUp(Path directory) {
        Command.run(script(new ProcessIdentity(0, 0), directory));
        Command.run("rm", "-rf", directory.toString());
    }

    /** Words before a command that keep the signals of a terminal or a build server away from it. */
    static List<String> sessionOfItsOwn() {
        return Files.isExecutable(Path.of("/usr/bin/setsid")) ? List.of("setsid") : List.of("nohup");
    }

    private static List<String> script(ProcessIdentity owner, Path directory) {
        return List.of(
                "sh",
                "-c",
                text(),
                "postrider-watchdog",
                "" + owner.pid(),
                "" + owner.startedAt(),
                directory.toString());
    }

    private static String text() {
        try (InputStream resource = Watchdog.class.getResourceAsStream("watchdog.sh")) {
            return new String(Objects.requireNonNull(resource).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
