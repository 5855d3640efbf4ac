package dev.postrider.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A Debian package unpacked with its libraries, not installed. Its programs run with the C library that came along, so
 * that a package of a newer release works.
 *
 * @param root the directory that stands for the root of a file system
 */
record DebianPackage(Path root) {

    /**
     * Unpacks a package; from the second time on it is found in the cache.
     *
     * @param suite a Debian suite, or {@code own} for the one of this machine
     * @throws ServerUnavailableException on machines without apt
     */
    static DebianPackage unpack(String suite, String name) {
        Path script = BuildDirectory.root().resolve("build").resolve("debian-unpack");
        String output = Command.runShowingMessages(List.of(script.toString(), suite, name));
        return new DebianPackage(Path.of(output.strip()));
    }

    /** The words before a program of this package that make it run. */
    List<String> loader() {
        Path loader = libraryDirectories()
                .flatMap(directory -> list(directory).stream())
                .filter(file -> file.getFileName().toString().matches("ld-linux.*\\.so\\.\\d"))
                .findFirst()
                .orElseThrow(() -> new ServerUnavailableException("no ld.so in " + root));
        return List.of(loader.toString(), "--library-path", String.join(":", libraries()));
    }

    /** Where the libraries of this package lie. */
    List<String> libraries() {
        return libraryDirectories().map(Path::toString).toList();
    }

    private Stream<Path> libraryDirectories() {
        return Stream.of("lib", "usr/lib").map(root::resolve).flatMap(DebianPackage::multiarch);
    }

    private static Stream<Path> multiarch(Path lib) {
        return Files.isDirectory(lib)
                ? list(lib).stream().filter(entry -> entry.toString().endsWith("-linux-gnu"))
                : Stream.empty();
    }

    private static List<Path> list(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
