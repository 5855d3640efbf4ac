package dev.postrider.faults;

import dev.postrider.prove.run.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A relay in a child JVM with a small heap, which the test may kill, stop, continue and close. Its output goes to a file. */
final class RelayProcess implements AutoCloseable {

    private static final Duration CLOSE_LIMIT = Duration.ofMinutes(2);

    private final String name;
    private final Path output;
    private final ChildProcess process;

    /** Starts a relay; returns at once, before it runs. */
    RelayProcess(RelaySettings settings, String heap, Map<String, String> environment) {
        this.name = settings.name();
        this.output = ChildJvm.newOutput(name);
        this.process =
                new ChildProcess(name, ChildJvm.command(heap, RelayMain.class, settings.toArgs()), environment, output);
    }

    String name() {
        return name;
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
        process.kill();
    }

    /** SIGSTOP: it holds its connections and does nothing. */
    void freeze() {
        process.freeze();
    }

    /** SIGCONT. */
    void thaw() {
        process.thaw();
    }

    /** SIGTERM: the relay releases its lanes and ends. Returns when it has ended. */
    void closeCleanly() {
        if (!process.terminate(CLOSE_LIMIT)) {
            throw new AssertionError("Relay " + this + " does not end");
        }
    }

    void pause(String destination) {
        process.send("pause " + destination);
    }

    void resume(String destination) {
        process.send("resume " + destination);
    }

    /** Asks for its wall clock. */
    Instant clock() {
        int known = events(RelayEvent.CLOCK).size();
        process.send("clock now");
        Eventually.holds(
                "relay " + this + " has told its clock",
                () -> events(RelayEvent.CLOCK).size() > known);
        return Instant.ofEpochMilli(Long.parseLong(events(RelayEvent.CLOCK).get(known)));
    }

    /** Lets it enqueue a message of this key, due after {@link RelayMain#DELAY}. */
    void enqueueDelayed(String key) {
        process.send("delay " + key);
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
