package dev.postrider.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One process, told apart from a later one with the same number.
 *
 * @param pid its number
 * @param startedAt its start in clock ticks, or 0 where the system does not tell
 */
record ProcessIdentity(long pid, long startedAt) {

    static ProcessIdentity of(long pid) {
        return new ProcessIdentity(pid, stat(pid).startedAt);
    }

    /** Whether it still runs; one that ended and that nobody has waited for does not. */
    boolean isAlive() {
        if (startedAt == 0) {
            return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
        }
        Stat now = stat(pid);
        return now.startedAt == startedAt && now.state != 'Z';
    }

    private static Stat stat(long pid) {
        try {
            // "pid (name) state ppid ...": the name may hold spaces and parentheses, so count from the last one.
            String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", 21);
            return new Stat(fields[0].charAt(0), Long.parseLong(fields[19]));
        } catch (IOException noSuchProcess) {
            return new Stat('Z', 0);
        }
    }

    private record Stat(char state, long startedAt) {}
}
