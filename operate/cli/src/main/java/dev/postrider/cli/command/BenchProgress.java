package dev.postrider.cli.command;

import dev.postrider.bench.measure.Result;
import dev.postrider.bench.suite.SuiteListener;
import dev.postrider.cli.output.Answers;
import dev.postrider.cli.output.Fields;
import dev.postrider.cli.output.Progress;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** Shows how a benchmark gets on, and prints what it found out. Not thread-safe. */
final class BenchProgress implements SuiteListener {

    private final Progress progress;
    private final PrintWriter err;
    private final Answers answers;
    private final BiConsumer<String, List<Result>> keeper;

    /** @param keeper keeps the results of each checkpoint */
    BenchProgress(Progress progress, PrintWriter err, Answers answers, BiConsumer<String, List<Result>> keeper) {
        this.progress = progress;
        this.err = err;
        this.answers = answers;
        this.keeper = keeper;
    }

    @Override
    public void progress(double done, String scenario, String what) {
        progress.show(done, List.of(scenario, what));
    }

    @Override
    public void note(String text) {
        err.println(text);
    }

    @Override
    public void finished(String checkpoint, List<Result> results) {
        keeper.accept(checkpoint, results);
        results.forEach(result -> answers.print(() -> List.of(text(result)), () -> fields(result)));
    }

    private static String text(Result result) {
        return result.fields().entrySet().stream().map(BenchProgress::field).collect(Collectors.joining(" "));
    }

    private static String field(Map.Entry<String, Object> field) {
        return field.getKey() + "=" + field.getValue();
    }

    private static Fields fields(Result result) {
        Fields fields = new Fields();
        result.fields().forEach((name, value) -> fields.with(name, value));
        return fields;
    }
}
