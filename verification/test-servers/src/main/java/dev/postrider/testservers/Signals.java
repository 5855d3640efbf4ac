package dev.postrider.testservers;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Sends signals to processes. Ones that are gone already are passed over. */
final class Signals {
    private Signals() {}

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
