package dev.postrider.bench.report;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.Result;
import dev.postrider.internal.JsonText;
import dev.postrider.service.operation.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The results so far, in a file of JSON lines. The file is replaced as a whole after each scenario, so that it never holds a part of
 * one. Not thread-safe.
 */
public final class Journal {

    static final String CHECKPOINT = "checkpoint";

    private static final Pattern WHOLE = Pattern.compile("-?\\d+");

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
            Files.readAllLines(file).forEach(line -> results.add(read(line)));
        } catch (IOException | IllegalArgumentException failed) {
            throw new BenchException(
                    "Cannot resume: %s cannot be read (%s). Leave out --resume to start over"
                            .formatted(file, failed.getMessage()),
                    failed);
        }
    }

    private static Result read(String line) {
        Map<String, Object> fields = new LinkedHashMap<>();
        JsonText.members(line).forEach((name, value) -> fields.put(name, figure(value)));
        return new Result(fields);
    }

    private static Object figure(JsonText.Value value) {
        String text = value.scalar().orElse("");
        if (value.isTruthValue()) {
            return Boolean.valueOf(text);
        }
        if (!value.isNumber()) {
            return text;
        }
        return WHOLE.matcher(text).matches() ? (Number) Long.valueOf(text) : (Number) Double.valueOf(text);
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
                results.stream().map(result -> Json.write(result.fields())).toList();
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
