package dev.postrider.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A relay in a child JVM with a small heap, which the test may kill, stop, continue and close. Its output goes to a file. */
final class RelayProcess implements AutoCloseable {

    private static final Path OUTPUT = Path.of("target", "relays");
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        // A stopped process would not notice that its standard input has ended with this JVM.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
    }

    private final RelaySettings settings;
    private final Process process;
    private final Path output;

    private RelayProcess(RelaySettings settings, Process process, Path output) {
        this.settings = settings;
        this.process = process;
        this.output = output;
    }

    /** Starts a relay; returns at once, before it runs. */
    static RelayProcess start(RelaySettings settings, String heap, Map<String, String> environment) {
        try {
            Path output = newOutput(settings.name());
            ProcessBuilder builder = new ProcessBuilder(command(settings, heap))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            RUNNING.add(process);
            return new RelayProcess(settings, process, output);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Path newOutput(String name) throws IOException {
        Files.createDirectories(OUTPUT);
        return Files.createTempFile(OUTPUT, name + "-", ".log");
    }

    private static List<String> command(RelaySettings settings, String heap) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=relay-process-logback.xml",
                "-cp",
                classPath(),
                RelayMain.class.getName()));
        command.addAll(settings.toArgs());
        return command;
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    String name() {
        return settings.name();
    }

    RelayProcess awaitStarted() {
        Eventually.holds("relay " + this + " has started or ended", () -> has(RelayEvent.STARTED) || !isAlive());
        if (!has(RelayEvent.STARTED)) {
            throw new AssertionError("Relay " + this + " has ended at once");
        }
        return this;
    }

    /** The owner of its lanes, once it has started. */
    String id() {
        return started()[0];
    }

    /** Its wall clock when it started. */
    Instant clockAtStart() {
        return Instant.ofEpochMilli(Long.parseLong(started()[1]));
    }

    private String[] started() {
        return events(RelayEvent.STARTED).get(0).split(" ");
    }

    void await(RelayEvent event) {
        Eventually.holds("relay " + this + " has told " + event, () -> has(event));
    }

    boolean has(RelayEvent event) {
        return !events(event).isEmpty();
    }

    /** The details of each time that this has happened so far. */
    List<String> events(RelayEvent event) {
        return event.in(lines());
    }

    private List<String> lines() {
        try (Stream<String> lines = Files.lines(output, StandardCharsets.UTF_8)) {
            return lines.toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** What it has found wrong with itself. */
    List<String> ownFaults() {
        return Stream.of(RelayEvent.MISSED, RelayEvent.CRASHED)
                .flatMap(event -> events(event).stream().map(detail -> this + " " + event + " " + detail))
                .toList();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL: no farewell. Also ends a stopped process. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** SIGSTOP: it holds its connections and does nothing. */
    void freeze() {
        signal("STOP");
    }

    /** SIGCONT. */
    void thaw() {
        signal("CONT");
    }

    /** SIGTERM: gives back its lanes and ends. Returns when it has ended. */
    void closeCleanly() {
        process.destroy();
        awaitEnd();
    }

    void pause(String destination) {
        command("pause " + destination);
    }

    void resume(String destination) {
        command("resume " + destination);
    }

    private void command(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void signal(String name) {
        try {
            int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new AssertionError("kill -" + name + " of relay " + name() + " failed");
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(2, TimeUnit.MINUTES)) {
                throw new AssertionError("Relay " + name() + " does not end, see " + output);
            }
            RUNNING.remove(process);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public void close() {
        kill();
    }

    @Override
    public String toString() {
        return name() + " (" + output.getFileName() + ")";
    }
}
