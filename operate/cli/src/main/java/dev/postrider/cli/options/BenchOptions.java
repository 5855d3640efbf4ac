package dev.postrider.cli.options;

import dev.postrider.bench.Scenario;
import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.scenario.Scenarios;
import dev.postrider.bench.suite.SuiteSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What {@code postrider bench} can be told. */
public final class BenchOptions {

    private static final String ALL = "all";

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Parameters(paramLabel = "SCENARIO", arity = "0..*", description = "What to measure; 'all' for everything.")
    private List<String> scenarios = new ArrayList<>();

    @Option(names = "--list", description = "Lists the scenarios and ends.")
    private boolean list;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "A JDBC address; h2; or postgres, mysql or mariadb, which a checkout of Postrider starts by"
                    + " itself. May be repeated. Default: postgres.")
    private List<String> stores = new ArrayList<>();

    @Mixin
    private AccountOptions account;

    @Option(
            names = "--destination",
            paramLabel = "BROKER",
            description =
                    "kafka, rabbitmq, nats, or the address of one: kafka://host:port, amqp://host:port or nats://host:port,"
                            + " for the scenarios that need it. One with"
                            + " user:password@ belongs into the environment, as POSTRIDER_BENCH_DESTINATION. May be repeated."
                            + " Default: a checkout of Postrider starts the broker by itself.")
    private List<String> destinations = new ArrayList<>();

    @Option(
            names = "--messages",
            paramLabel = "N",
            description = "How many in each round. Default: what suits each scenario.")
    private @Nullable Integer messages;

    @Option(
            names = "--bytes",
            paramLabel = "N",
            description = "The length of each payload. Default: 512; for 'memory' and brokers 1024.")
    private @Nullable Integer bytes;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "How often the subjects take turns, after a warm-up. Default: what suits each scenario.")
    private @Nullable Integer rounds;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Makes the same payloads again. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--fast",
            description = "Servers that are started do not wait for the disk. Default: durable commits.")
    private boolean fast;

    @Option(
            names = "--quick",
            description =
                    "Less of everything: under 45 seconds for each scenario and database, once the servers are up.")
    private boolean quick;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description =
                    "Where to keep the results: results.jsonl, summary.csv, report.md and plots. Default: nowhere.")
    private @Nullable Path report;

    @Option(
            names = "--resume",
            description =
                    "Goes on where an earlier run with the same --report was interrupted. Without a scenario: measures"
                            + " nothing, and writes the report again.")
    private boolean resume;

    @Option(
            names = "--figures",
            paramLabel = "FILE",
            description =
                    "A page in Markdown whose tables between <!-- figures: targets --> or <!-- figures: peers --> and"
                            + " <!-- end of figures --> are written again from the results. May be repeated.")
    private List<Path> figures = new ArrayList<>();

    @Option(
            names = "--headless",
            description = "Plain lines instead of a live display; also chosen when there is no terminal.")
    private boolean headless;

    /** What to run. */
    public SuiteSettings settings() {
        if (resume && report == null) {
            throw usage("--resume needs the --report of the run that was interrupted");
        }
        if (report == null && !figures.isEmpty()) {
            throw usage("--figures needs a --report with the results");
        }
        return new SuiteSettings(
                wanted(),
                stores.isEmpty() ? List.of("postgres") : stores,
                destinations,
                Optional.ofNullable(messages),
                Optional.ofNullable(bytes),
                Optional.ofNullable(rounds),
                seed,
                fast,
                quick);
    }

    private List<Scenario> wanted() {
        if (scenarios.isEmpty() && !resume) {
            throw usage("Which scenario? Name some, or 'all'; --list shows them");
        }
        try {
            return scenarios.contains(ALL)
                    ? Scenarios.all()
                    : scenarios.stream()
                            .flatMap(name -> Scenarios.named(name).stream())
                            .toList();
        } catch (BenchException unknown) {
            throw usage(unknown.getMessage());
        }
    }

    /** Who connects to a database that was given by its address. */
    public AccountOptions account() {
        return account;
    }

    public Optional<Path> report() {
        return Optional.ofNullable(report);
    }

    /** Pages with tables of figures. */
    public List<Path> figures() {
        return figures;
    }

    public boolean isResume() {
        return resume;
    }

    public boolean isList() {
        return list;
    }

    public boolean isHeadless() {
        return headless;
    }

    private ParameterException usage(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }
}
