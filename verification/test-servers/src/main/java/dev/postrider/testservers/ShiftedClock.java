package dev.postrider.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Lets a program run with a wall clock that is fast or slow, or that steps while it runs. Its monotonic clock, and with it every time-out, stays right.
 * Uses libfaketime, installed or from a Debian package.
 */
public final class ShiftedClock {

    private static final String LIBRARY = "libfaketime.so.1";

    private ShiftedClock() {}

    /**
     * The environment that shifts the clock of a program started with it.
     *
     * @param shift how much the clock is fast; negative if it is slow
     * @throws ServerUnavailableException if libfaketime cannot be had
     */
    public static Map<String, String> environment(Duration shift) {
        return environment(Map.of("FAKETIME", text(shift)));
    }

    /**
     * The same for a clock that follows a file: {@link #step} writes it, and the program's clock steps at its next look.
     *
     * @param file written already
     */
    public static Map<String, String> environment(Path file) {
        return environment(
                Map.of("FAKETIME_TIMESTAMP_FILE", file.toAbsolutePath().toString(), "FAKETIME_NO_CACHE", "1"));
    }

    /** Lets the clock of every program that follows this file be fast by this much from now on. */
    public static void step(Path file, Duration shift) {
        try {
            Path next = file.resolveSibling(file.getFileName() + ".next");
            Files.writeString(next, text(shift) + "\n");
            // At once: a program must not read a half of it.
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String text(Duration shift) {
        return "%+d".formatted(shift.toSeconds());
    }

    private static Map<String, String> environment(Map<String, String> source) {
        Map<String, String> environment = new HashMap<>(source);
        environment.put("LD_PRELOAD", library().toString());
        environment.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        // Else waits with a time-out on the monotonic clock return at once.
        environment.put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
        return environment;
    }

    private static Path library() {
        return find(Path.of("/")).findFirst().orElseGet(ShiftedClock::unpack);
    }

    private static Path unpack() {
        Path root = DebianPackage.unpack("own", "libfaketime").root();
        return find(root)
                .findFirst()
                .orElseThrow(() -> new ServerUnavailableException("no " + LIBRARY + " in " + root
                        + "; install libfaketime, or delete that directory to have it downloaded again"));
    }

    private static Stream<Path> find(Path root) {
        Path lib = root.resolve("usr").resolve("lib");
        List<String> architectures = List.of("x86_64-linux-gnu", "aarch64-linux-gnu");
        return Stream.concat(architectures.stream().map(lib::resolve), Stream.of(lib))
                .map(directory -> directory.resolve("faketime").resolve(LIBRARY))
                .filter(Files::isRegularFile);
    }
}
