package dev.postrider.cli.command;

import dev.postrider.cli.options.DatabaseOptions;
import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.cli.options.OutputOptions;
import dev.postrider.cli.output.Answers;
import dev.postrider.cli.output.Terminal;
import dev.postrider.cli.status.OutboxStatus;
import dev.postrider.cli.status.StatusJson;
import dev.postrider.cli.status.StatusText;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code postrider status}: backlog, lanes, held keys and dead letters. */
@Command(
        name = "status",
        description = {
            "Shows how an outbox stands: what is undelivered and how old, which relay owns which lanes, which keys are"
                    + " held and why, dead letters by reason, pauses.",
            "",
            "Cheap on any backlog: large numbers are estimates. With a file that describes several outboxes all are shown."
        },
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  postrider status --config postrider.yaml --watch",
            "  postrider status --url jdbc:postgresql://localhost/app --user app --password-file pw",
            "  postrider status --config postrider.yaml --output json | jq .oldest_age_ms"
        })
final class StatusCommand implements Callable<Integer> {

    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

    @Mixin
    private DatabaseOptions database;

    @Mixin
    private OutputOptions output;

    @Option(names = "--watch", description = "Shows it again and again, until it is interrupted.")
    private boolean watch;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "2s",
            description = "How often, with --watch. Default: ${DEFAULT-VALUE}.")
    private Duration interval;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        List<OutboxDatabase> opened = new ArrayList<>();
        try {
            List<OutboxStore> stores = new ArrayList<>();
            for (OutboxTarget target : database.targets()) {
                opened.add(OutboxDatabase.open(target.database()));
                stores.add(opened.get(opened.size() - 1).tables(target.store()).open(SchemaMode.VERIFY));
            }
            show(stores);
            while (watch) {
                Thread.sleep(interval.toMillis());
                show(stores);
            }
            return ExitCode.OK.number();
        } finally {
            opened.forEach(OutboxDatabase::close);
        }
    }

    private void show(List<OutboxStore> stores) {
        List<OutboxStatus> all = stores.stream().map(OutboxStatus::read).toList();
        Answers answers = new Answers(spec.commandLine().getOut(), output.isJson());
        if (watch && !output.isJson() && Terminal.isPresent()) {
            spec.commandLine().getOut().print(CLEAR_SCREEN);
        }
        all.forEach(status -> answers.print(() -> StatusText.lines(status), () -> StatusJson.fields(status)));
    }
}
