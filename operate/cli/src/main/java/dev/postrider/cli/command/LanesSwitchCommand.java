package dev.postrider.cli.command;

import dev.postrider.cli.options.OperatorOption;
import dev.postrider.cli.output.Progress;
import dev.postrider.internal.Readable;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.service.operation.Fields;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.jdbc.StoredSchema;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postrider lanes switch}. */
@Command(
        name = "switch",
        description = {
            "Waits until the old outbox is empty and stays so, then ends the pauses of the new one.",
            "",
            "Empty means nothing undelivered, held or delayed; dead letters stay where they are. Until then nothing is"
                    + " changed: it can be interrupted and repeated. Exit code 1 if it takes longer than --wait."
        },
        footer = {
            "  postrider lanes switch --config postrider.yaml --to-prefix outbox2",
            "  postrider lanes switch --config postrider.yaml --to-prefix outbox2 --wait 30m --quiet 30s"
        })
final class LanesSwitchCommand extends LanesStepCommand {

    @Option(
            names = "--quiet",
            paramLabel = "TIME",
            defaultValue = "10s",
            description =
                    "How long the old outbox must stay empty: longer than any transaction of a writer that may still"
                            + " use it. Default: ${DEFAULT-VALUE}.")
    private Duration quiet;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "1h",
            description = "How long to wait for that. Default: ${DEFAULT-VALUE}.")
    private Duration wait;

    @Mixin
    private OperatorOption operator;

    @Override
    ExitCode run(OutboxStore old, StoredSchema schema, OutboxDatabase opened, StoreSettings next)
            throws InterruptedException {
        Set<String> destinations = destinations();
        OutboxStore successor = opened.tables(next).open(SchemaMode.VERIFY);
        if (!awaitQuiet(old)) {
            err().println("Outbox " + old.name() + " did not become empty in " + Readable.time(wait)
                    + "; nothing was changed. Do its relays run? See: postrider status");
            return ExitCode.FAILED;
        }
        destinations.forEach(name -> successor.pauses().resume(name, operator.name()));
        answers()
                .print(
                        () -> List.of("outbox %s is empty; outbox %s delivers now, from %s"
                                .formatted(
                                        old.name(), successor.name(), Readable.count(successor.laneCount(), "lane"))),
                        () -> new Fields()
                                .with("from", old.name())
                                .with("to", successor.name())
                                .with("lanes", successor.laneCount())
                                .with("resumed", destinations));
        return ExitCode.OK;
    }

    private boolean awaitQuiet(OutboxStore old) throws InterruptedException {
        Progress progress = Progress.of(err(), false);
        long end = System.nanoTime() + wait.toNanos();
        long emptySince = System.nanoTime();
        long first = 0;
        while (true) {
            OutboxStats stats = old.stats();
            long left = stats.undelivered() + stats.delayed();
            long now = System.nanoTime();
            if (left > 0) {
                emptySince = now;
            } else if (now - emptySince >= quiet.toNanos()) {
                return true;
            }
            first = Math.max(first, left);
            progress.show(
                    first == 0 ? 1 : 1 - (double) left / first,
                    List.of(left == 0 ? "empty" : Readable.count(left, "message") + " left"));
            if (now - end >= 0) {
                return false;
            }
            Thread.sleep(Math.min(progress.interval().toMillis(), Math.max(1, quiet.toMillis())));
        }
    }
}
