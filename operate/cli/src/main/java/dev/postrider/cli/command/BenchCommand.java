package dev.postrider.cli.command;

import dev.postrider.bench.Scenario;
import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.Result;
import dev.postrider.bench.report.Journal;
import dev.postrider.bench.report.Machine;
import dev.postrider.bench.report.MarkedPage;
import dev.postrider.bench.report.Report;
import dev.postrider.bench.scenario.Scenarios;
import dev.postrider.bench.suite.Suite;
import dev.postrider.bench.suite.SuiteListener;
import dev.postrider.bench.suite.SuiteSettings;
import dev.postrider.cli.options.BenchOptions;
import dev.postrider.cli.options.OutputOptions;
import dev.postrider.cli.output.Answers;
import dev.postrider.cli.output.Progress;
import dev.postrider.service.operation.Fields;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** {@code postrider bench}: how fast it is here. */
@Command(
        name = "bench",
        description = {
            "Measures outbox and relay on real servers, compared with other subjects in the same run.",
            "",
            "Every subject proves that each of its messages arrived. Results go to standard output, one line for each"
                    + " subject; progress goes to standard error.",
            "",
            "In a database of yours all tables begin with postrider_bench, and they are dropped afterwards."
        },
        footer = {
            "  ./postrider bench drain --store postgres --quick",
            "  ./postrider bench all --store postgres --store mysql --report docs/benchmarks --resume",
            "  postrider bench drain mixed --store jdbc:postgresql://db/app --user me --password-file pw"
        })
final class BenchCommand extends AnyCommand implements Callable<Integer> {

    @Mixin
    private BenchOptions options;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        if (options.isList()) {
            Scenarios.all().forEach(this::list);
            return ExitCode.OK.number();
        }
        try {
            SuiteSettings settings = options.settings();
            Optional<Journal> journal = options.report()
                    .map(directory -> options.isResume() ? Journal.resume(directory) : Journal.begin(directory));
            Set<String> finished = journal.map(Journal::finished).orElse(Set.of());
            new Suite(settings, options.account()::complete, finished, progress(journal)).run();
            journal.ifPresent(this::report);
            return ExitCode.OK.number();
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec().commandLine(), wrong.getMessage(), wrong);
        }
    }

    private void list(Scenario scenario) {
        out().println("%-14s %s".formatted(scenario.name(), scenario.summary().description()));
        out().flush();
    }

    private BenchProgress progress(Optional<Journal> journal) {
        return new BenchProgress(
                Progress.of(err(), options.isHeadless()),
                err(),
                answers(output),
                (checkpoint, results) -> journal.ifPresent(kept -> kept.add(checkpoint, results, machine())));
    }

    private static Machine machine() {
        return Machine.here(new BuildVersion().getVersion()[0]);
    }

    private void report(Journal journal) {
        if (journal.results().isEmpty()) {
            throw new BenchException("There are no results to report");
        }
        options.report().ifPresent(directory -> {
            Report.write(directory, journal.results());
            options.figures().forEach(page -> MarkedPage.update(page, journal.results()));
            err().println("Report: " + directory.resolve("report.md"));
        });
    }

    /** Shows how a benchmark gets on, and prints what it found out. Not thread-safe. */
    private static final class BenchProgress implements SuiteListener {

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
}
