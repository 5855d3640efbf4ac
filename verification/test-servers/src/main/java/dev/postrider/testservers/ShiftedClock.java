package dev.postrider.testservers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Lets a program run with a wall clock that is fast or slow. Its monotonic clock, and with it every time-out, stays right.
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
        return Map.of(
                "LD_PRELOAD",
                library().toString(),
                "FAKETIME",
                "%+d".formatted(shift.toSeconds()),
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                // Else waits with a time-out on the monotonic clock return at once.
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0");
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
