package dev.postrider.bench.usage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A process and its children: PostgreSQL has one for each connection. For one thread. */
final class ProcessFamily {

    private final ProcessHandle parent;
    private final boolean withChildren;
    private final Map<Long, Duration> cpuSeen = new HashMap<>();
    private List<ProcessHandle> members = List.of();
    private Duration cpu = Duration.ZERO;

    private ProcessFamily(ProcessHandle parent, boolean withChildren) {
        this.parent = parent;
        this.withChildren = withChildren;
    }

    /** This process alone: servers that it has started are its children. */
    static ProcessFamily ofThisProcess() {
        return new ProcessFamily(ProcessHandle.current(), false);
    }

    static Stream<ProcessFamily> of(long pid) {
        return ProcessHandle.of(pid).map(parent -> new ProcessFamily(parent, true)).stream();
    }

    /** Finds its present members. The system looks at all of its processes for that: done too often, it slows down what is measured. */
    void search() {
        members = Stream.concat(Stream.of(parent), withChildren ? parent.descendants() : Stream.empty())
                .toList();
    }

    /** What the members found have used until now, and those before them that have ended. */
    Reading read() {
        members.forEach(this::addCpu);
        return new Reading(cpu.toNanos(), memory(members));
    }

    private void addCpu(ProcessHandle process) {
        process.info().totalCpuDuration().ifPresent(now -> {
            Duration before = cpuSeen.put(process.pid(), now);
            cpu = cpu.plus(before == null || before.compareTo(now) > 0 ? now : now.minus(before));
        });
    }

    /** What they share, such as buffers, counts once. */
    private static long memory(List<ProcessHandle> living) {
        long own = 0;
        long shared = 0;
        for (ProcessHandle process : living) {
            Map<String, Long> status = status(process.pid());
            own += status.getOrDefault("RssAnon", 0L);
            shared = Math.max(shared, status.getOrDefault("RssFile", 0L) + status.getOrDefault("RssShmem", 0L));
        }
        return own + shared;
    }

    /** The lines of kilobytes. A process that has just ended, and a system without such files, say nothing. */
    private static Map<String, Long> status(long pid) {
        Map<String, Long> kilobytes = new HashMap<>();
        try {
            for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
                if (line.startsWith("Rss")) {
                    String[] words = line.split(":?\\s+");
                    kilobytes.put(words[0], Long.parseLong(words[1]));
                }
            }
        } catch (IOException unknown) {
            return Map.of();
        }
        return kilobytes;
    }
}
