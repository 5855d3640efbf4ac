package dev.postrider.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How the programs of these tests run in JVMs of their own. Stateless. */
final class ChildJvm {

    private static final Path OUTPUT = Path.of("target", "children");

    private ChildJvm() {}

    /** The command for a program on the class path of the tests. */
    static List<String> command(String heap, Class<?> program, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=relay-process-logback.xml",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                program.getName()));
        command.addAll(arguments);
        return command;
    }

    /** An empty file for what it prints. */
    static Path newOutput(String name) {
        try {
            Files.createDirectories(OUTPUT);
            return Files.createTempFile(OUTPUT, name + "-", ".log");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
