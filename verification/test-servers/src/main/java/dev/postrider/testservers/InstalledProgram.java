package dev.postrider.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks for a program where systems install it. */
final class InstalledProgram {
    private InstalledProgram() {}

    /**
     * Finds a program on the path or in another directory.
     *
     * @throws ServerUnavailableException if it is not installed
     */
    static Path find(String name, List<Path> otherDirectories) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(Arrays.stream(path.split(":", 0)).map(Path::of), otherDirectories.stream())
                .map(directory -> directory.resolve(name))
                .filter(Files::isExecutable)
                .findFirst()
                .map(InstalledProgram::follow)
                .orElseThrow(() -> new ServerUnavailableException("no " + name + " is installed"));
    }

    private static Path follow(Path program) {
        try {
            return program.toRealPath();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
