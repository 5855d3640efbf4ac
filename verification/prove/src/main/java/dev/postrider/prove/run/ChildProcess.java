package dev.postrider.prove.run;

import dev.postrider.prove.ProofException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A process, such as a relay, that may be killed, frozen and started again. What it prints is appended to a file. It ends with this JVM
 * at the latest. Not thread-safe.
 */
public final class ChildProcess implements AutoCloseable {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);
    private static final Duration KILL_LIMIT = Duration.ofMinutes(2);

    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        // A frozen process would not notice that this JVM has ended.
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "postrider-end-of-children"));
    }

    private final String name;
    private final ProcessBuilder builder;
    private Process process;

    /** Starts it; returns at once. */
    public ChildProcess(String name, List<String> command, Map<String, String> environment, Path output) {
        this.name = name;
        this.builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        this.builder.environment().putAll(environment);
        this.process = start();
    }

    private Process start() {
        try {
            Process started = builder.start();
            RUNNING.add(started);
            return started;
        } catch (IOException failed) {
            throw new UncheckedIOException("Cannot start " + name + ": " + builder.command(), failed);
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL: without any farewell, also if it is frozen. Returns when it has ended. */
    public void kill() {
        process.destroyForcibly();
        if (!waitFor(KILL_LIMIT)) {
            throw new ProofException("SIGKILL has not ended " + name);
        }
    }

    /** Starts another one in its place. */
    public void restart() {
        process = start();
    }

    /** Starts one that has ended again, as an operating system would do. */
    public void restartIfEnded() {
        if (!isAlive()) {
            restart();
        }
    }

    /** SIGSTOP: it keeps its connections and does nothing. */
    public void freeze() {
        signal("STOP");
    }

    /** SIGCONT: lets it go on. */
    public void thaw() {
        signal("CONT");
    }

    /** SIGTERM: lets it end cleanly. Returns whether it has ended in time. */
    public boolean terminate(Duration limit) {
        process.destroy();
        return waitFor(limit);
    }

    /** Writes a line to its standard input. */
    public void send(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException failed) {
            throw new UncheckedIOException("Cannot write to " + name, failed);
        }
    }

    private void signal(String signal) {
        try {
            int exit = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new ProofException("Cannot send SIG" + signal + " to " + name);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("Cannot send SIG" + signal + " to " + name, failed);
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    private boolean waitFor(Duration limit) {
        try {
            boolean hasEnded = process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (hasEnded) {
                RUNNING.remove(process);
            }
            return hasEnded;
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    private static ProofException interrupted(InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return new ProofException("Interrupted", interrupted);
    }

    /** Cleanly, if it can. */
    @Override
    public void close() {
        if (!terminate(CLOSE_LIMIT)) {
            kill();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
