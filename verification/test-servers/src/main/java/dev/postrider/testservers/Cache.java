package dev.postrider.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Things that are costly to unpack and the same for every build: {@code $XDG_CACHE_HOME/postrider}, usually {@code
 * ~/.cache/postrider}. It may be deleted at any time between builds.
 */
final class Cache {
    private Cache() {}

    static Path directory() {
        Path caches = Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .filter(value -> !value.isBlank())
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"));
        return caches.resolve("postrider");
    }

    /** The directory of that name; filled first if it is not there. It appears whole or not at all. */
    static Path once(String name, Consumer<Path> filler) {
        Path wanted = directory().resolve(name);
        return FileLocks.holding(directory().resolve(name + ".lock"), () -> {
            if (!Files.isDirectory(wanted)) {
                fill(wanted, filler);
            }
            return wanted;
        });
    }

    private static void fill(Path wanted, Consumer<Path> filler) {
        Path unfinished = wanted.resolveSibling(wanted.getFileName() + ".unfinished");
        Command.run("rm", "-rf", unfinished.toString());
        filler.accept(unfinished);
        try {
            Files.move(unfinished, wanted, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
