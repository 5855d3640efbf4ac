package dev.postrider.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A server that runs as a process in a session of its own, so that it outlives the test JVM that started it and a Ctrl-C
 * does not reach it. The file {@code pid} tells the watchdog what to end and how.
 */
final class ProcessInstance implements Instance {
    private static final Duration CLEAN_END = Duration.ofSeconds(30);

    private final Installation installation;
    private final ServerDirectory directory;
    private final List<String> command;
    private final EndSignals endSignals;
    private Optional<ProcessIdentity> server = Optional.empty();

    ProcessInstance(Installation installation, ServerDirectory directory, List<String> command, EndSignals endSignals) {
        this.installation = installation;
        this.directory = directory;
        this.command = command;
        this.endSignals = endSignals;
    }

    Installation installation() {
        return installation;
    }

    ServerDirectory directory() {
        return directory;
    }

    @Override
    public void start() {
        var line = new ArrayList<>(Watchdog.sessionOfItsOwn());
        line.addAll(command);
        var builder = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(directory.log().toFile()))
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().put("LC_ALL", "C");
        try {
            var started = ProcessIdentity.of(builder.start().pid());
            directory.writePid(started, endSignals.fast());
            server = Optional.of(started);
        } catch (IOException failed) {
            throw new ServerUnavailableException("cannot run " + command.get(0) + ": " + failed.getMessage(), failed);
        }
    }

    @Override
    public void stop() {
        end(endSignals.clean());
    }

    @Override
    public void killHard() {
        List<ProcessIdentity> family = family();
        send("KILL", family);
        if (!Await.until(CLEAN_END, () -> family.stream().noneMatch(ProcessIdentity::isAlive))) {
            throw new IllegalStateException("Process " + family.get(0).pid() + " survived SIGKILL");
        }
    }

    @Override
    public void freeze() {
        // The parent first: once it stands still, no child can be born unseen.
        send("STOP", server.stream().toList());
        send("STOP", family());
    }

    @Override
    public void thaw() {
        send("CONT", family());
    }

    @Override
    public boolean isRunning() {
        return server.map(ProcessIdentity::isAlive).orElse(false);
    }

    @Override
    public OptionalLong processId() {
        return server.stream().mapToLong(ProcessIdentity::pid).findFirst();
    }

    @Override
    public void discard() {
        end(endSignals.fast());
        directory.delete();
    }

    @Override
    public String endOfLog() {
        try {
            List<String> lines = new String(Files.readAllBytes(directory.log()), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private void end(String signal) {
        thaw();
        List<ProcessIdentity> family = family();
        send(signal, server.stream().toList());
        if (!Await.until(CLEAN_END, () -> family.stream().noneMatch(ProcessIdentity::isAlive))) {
            killHard();
        }
    }

    /** The server, if it lives, and all its descendants. */
    private List<ProcessIdentity> family() {
        var family = new ArrayList<ProcessIdentity>();
        server.filter(ProcessIdentity::isAlive).ifPresent(parent -> {
            family.add(parent);
            ProcessHandle.of(parent.pid()).stream()
                    .flatMap(ProcessHandle::descendants)
                    .map(child -> ProcessIdentity.of(child.pid()))
                    .forEach(family::add);
        });
        return family;
    }

    /** Sends a signal to those that still live. */
    static void send(String signal, Collection<ProcessIdentity> processes) {
        // The shell's own kill: the program of that name is missing on small machines.
        var command = new ArrayList<>(List.of("sh", "-c", "kill -" + signal + " \"$@\" 2>/dev/null || true", "kill"));
        processes.stream()
                .filter(ProcessIdentity::isAlive)
                .map(process -> Long.toString(process.pid()))
                .forEach(command::add);
        Command.run(command);
    }
}
