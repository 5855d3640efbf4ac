package dev.postrider.prove.run;

import dev.postrider.prove.server.DatabaseLink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A standalone relay in a process of its own, with its own way to the database. Not thread-safe. */
final class RelayProcess implements AutoCloseable {

    private static final long CLOSE_SECONDS = 30;

    private final int number;
    private final DatabaseLink link;
    private final ProcessBuilder command;
    private Process process;

    RelayProcess(int number, DatabaseLink link, List<String> command, Map<String, String> environment, Path log) {
        this.number = number;
        this.link = link;
        this.command = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        this.command.environment().putAll(environment);
        this.process = start();
    }

    private Process start() {
        try {
            return command.start();
        } catch (IOException failed) {
            throw new UncheckedIOException("Cannot start a relay: " + command.command(), failed);
        }
    }

    DatabaseLink link() {
        return link;
    }

    /** Without any farewell. */
    void kill() {
        process.destroyForcibly();
        waitForEnd();
    }

    /** Starts another one in its place. */
    void restart() {
        process = start();
    }

    /** A relay that ended though nobody killed it is started again, as an operating system would do. */
    boolean restartIfEnded() {
        if (process.isAlive()) {
            return false;
        }
        restart();
        return true;
    }

    /** Freezes it where it is. */
    void stop() {
        signal("STOP");
    }

    /** Lets it go on. */
    void goOn() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
        } catch (IOException failed) {
            throw new UncheckedIOException("Cannot send SIG" + name + " to a relay", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void waitForEnd() {
        try {
            process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Cleanly, if it can. */
    @Override
    public void close() {
        process.destroy();
        waitForEnd();
        process.destroyForcibly();
        link.close();
    }

    @Override
    public String toString() {
        return "relay " + number;
    }
}
