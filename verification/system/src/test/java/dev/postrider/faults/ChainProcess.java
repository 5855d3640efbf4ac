package dev.postrider.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A relay or consumer of the chain in a child JVM, which the test kills and starts again. */
final class ChainProcess implements AutoCloseable {

    private static final Path OUTPUT = Path.of("target", "chain");

    private final ChainSettings settings;
    private Process process;

    private ChainProcess(ChainSettings settings) throws IOException {
        this.settings = settings;
        this.process = start();
    }

    /** Returns at once, before it has started. */
    static ChainProcess start(ChainSettings settings) {
        try {
            return new ChainProcess(settings);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private Process start() throws IOException {
        Files.createDirectories(OUTPUT);
        Path output = Files.createTempFile(OUTPUT, settings.name() + "-", ".log");
        return new ProcessBuilder(command())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    private List<String> command() {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=relay-process-logback.xml",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                ChainMain.class.getName()));
        command.addAll(settings.toArgs());
        return command;
    }

    /** SIGKILL, and another in its place. */
    void killAndReplace() {
        try {
            close();
            process = start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** What a supervisor does about a service that could not go on. */
    void replaceIfEnded() {
        if (!process.isAlive()) {
            killAndReplace();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
