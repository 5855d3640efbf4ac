package dev.postrider.bench.report;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;

/**
 * The results so far, in a file of JSON lines. The file is replaced as a whole after each scenario, so that it never holds a part of
 * one. Not thread-safe.
 */
public final class Journal {

    static final String CHECKPOINT = "checkpoint";

    private final Path file;
    private final List<Result> results = new ArrayList<>();

    private Journal(Path file) {
        this.file = file;
    }

    /** Starts an empty journal; what the directory held before is replaced when the first scenario has ended. */
    public static Journal begin(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException failed) {
            throw new BenchException("Could not make the directory " + directory, failed);
        }
        return new Journal(directory.resolve("results.jsonl"));
    }

    /** Goes on with what the directory holds. */
    public static Journal resume(Path directory) {
        Journal journal = begin(directory);
        if (Files.exists(journal.file)) {
            journal.load();
        }
        return journal;
    }

    private void load() {
        try {
            Files.readAllLines(file).forEach(line -> results.add(new Result(JsonLine.read(line))));
        } catch (IOException | JacksonException failed) {
            throw new BenchException(
                    "Cannot resume: %s cannot be read (%s). Leave out --resume to start over"
                            .formatted(file, failed.getMessage()),
                    failed);
        }
    }

    /** What need not be repeated. */
    public Set<String> finished() {
        return results.stream().map(result -> result.text(CHECKPOINT)).collect(Collectors.toSet());
    }

    /** Keeps the results of one scenario, together with where and how they were measured. */
    public void add(String checkpoint, List<Result> found, Machine machine) {
        for (Result result : found) {
            results.add(machine.describe(result).with(CHECKPOINT, checkpoint));
        }
        write();
    }

    private void write() {
        List<String> lines =
                results.stream().map(result -> JsonLine.write(result.fields())).toList();
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.write(fresh, lines);
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new BenchException("Could not write " + file, failed);
        }
    }

    public List<Result> results() {
        return List.copyOf(results);
    }
}
