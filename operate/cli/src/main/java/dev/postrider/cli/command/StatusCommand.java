package dev.postrider.cli.command;

import dev.postrider.cli.options.DatabaseOptions;
import dev.postrider.cli.options.Environment;
import dev.postrider.cli.options.ExistingOptions;
import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.cli.options.OutputOptions;
import dev.postrider.cli.output.Answers;
import dev.postrider.cli.output.Paint;
import dev.postrider.cli.output.Terminal;
import dev.postrider.cli.status.StatusText;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.operation.OutboxStatus;
import dev.postrider.service.operation.StatusJson;
import dev.postrider.service.operation.StatusWatch;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postrider status}: backlog, lanes, held keys and dead letters. */
@Command(
        name = "status",
        description = {
            "Shows the state of an outbox: backlog and its age, rates, lanes and their relays, held keys, dead"
                    + " letters, pauses.",
            "",
            "Fast with any backlog: large numbers are estimates. If the file has several outboxes, it shows all of"
                    + " them."
        },
        footer = {
            "  postrider status --config postrider.yaml --watch",
            "  postrider status --url jdbc:postgresql://localhost/app --user app --password-file pw",
            "  postrider status --url jdbc:mysql://localhost/shop --user app --password-file pw --preset records",
            "  postrider status --config postrider.yaml --output json | jq .oldest_age_ms"
        })
final class StatusCommand extends AnyCommand implements Callable<Integer> {

    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

    @Mixin
    private DatabaseOptions database;

    @Mixin
    private ExistingOptions existing;

    @Mixin
    private OutputOptions output;

    @Option(names = "--watch", description = "Shows it again and again, until it is interrupted.")
    private boolean watch;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "1s",
            description =
                    "Over how long rates are measured, and how often --watch shows it. Default: ${DEFAULT-VALUE}.")
    private Duration interval;

    @Override
    public Integer call() throws InterruptedException {
        if (interval.isZero()) {
            throw usage("--interval is 0, expected a time longer than that");
        }
        List<OutboxDatabase> opened = new ArrayList<>();
        try {
            watch(database.targets().stream()
                    .map(existing::applyTo)
                    .map(target -> watched(target, opened))
                    .toList());
            return ExitCode.OK.number();
        } finally {
            opened.forEach(OutboxDatabase::close);
        }
    }

    private static StatusWatch watched(OutboxTarget target, List<OutboxDatabase> opened) {
        OutboxDatabase next = OutboxDatabase.open(target.database());
        opened.add(next);
        OutboxStore store = next.tables(target.store()).open(SchemaMode.VERIFY);
        return new StatusWatch(
                target.nameOr(store), store, next.tables(target.store()).counters());
    }

    private void watch(List<StatusWatch> watched) throws InterruptedException {
        if (watched.stream().anyMatch(StatusWatch::counts)) {
            Thread.sleep(interval.toMillis());
        }
        show(watched);
        while (watch) {
            Thread.sleep(interval.toMillis());
            show(watched);
        }
    }

    private void show(List<StatusWatch> watched) {
        List<OutboxStatus> all = watched.stream().map(StatusWatch::read).toList();
        Answers answers = answers(output);
        Paint paint = Paint.of(Environment.of(spec()).variables());
        if (watch && !output.isJson() && Terminal.isPresent()) {
            out().print(CLEAR_SCREEN);
        }
        all.forEach(status -> answers.print(() -> StatusText.lines(status, paint), () -> StatusJson.fields(status)));
    }
}
