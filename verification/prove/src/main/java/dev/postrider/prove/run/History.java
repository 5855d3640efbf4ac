package dev.postrider.prove.run;

import dev.postrider.prove.check.Arrival;
import dev.postrider.prove.check.Committed;
import dev.postrider.prove.check.Evidence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What happened, for those who have to find out why a proof failed. Not thread-safe. */
final class History {

    private final long started = System.nanoTime();
    private final List<String> faults = new ArrayList<>();

    void fault(String what) {
        long millis = Duration.ofNanos(System.nanoTime() - started).toMillis();
        faults.add("{\"fault\":%s,\"ended_ms\":%d}".formatted(quoted(what), millis));
    }

    int faults() {
        return faults.size();
    }

    /** One JSON object on each line: faults in order, what was committed, what arrived in order, what was left. */
    void write(Path file, Evidence evidence) {
        try (Writer out = Files.newBufferedWriter(file)) {
            for (String fault : faults) {
                out.write(fault + "\n");
            }
            for (Committed message : evidence.committed()) {
                out.write(line("committed", message.id(), message.key(), message.n()));
            }
            for (Arrival message : evidence.arrivals()) {
                out.write(line("arrived", message.id(), message.key(), message.n()));
            }
            for (String id : evidence.undelivered()) {
                out.write("{\"undelivered\":%s}%n".formatted(quoted(id)));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("Cannot write the history to " + file, failed);
        }
    }

    private static String line(String what, String id, Optional<String> key, long n) {
        String named = key.map(text -> ",\"key\":" + quoted(text)).orElse("");
        return "{\"%s\":%s%s,\"n\":%d}\n".formatted(what, quoted(id), named, n);
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\p{Cntrl}", "?") + '"';
    }
}
