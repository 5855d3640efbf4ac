package dev.postrider.cli.command;

import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.internal.Readable;
import dev.postrider.maintenance.Cleanup;
import dev.postrider.maintenance.CleanupBuilder;
import dev.postrider.maintenance.CleanupReport;
import dev.postrider.maintenance.Expired;
import dev.postrider.maintenance.MaintenanceListener;
import dev.postrider.service.operation.Fields;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postrider cleanup}. */
@Command(
        name = "cleanup",
        description = {
            "Deletes old data: delivered messages in the audit trail, dedup keys, records of operations and, if asked,"
                    + " dead letters. Never deletes an undelivered, held or delayed message.",
            "",
            "Repeats at every interval until you stop it; with --once it runs once, for cron. You may start several:"
                    + " one at a time works. With --config, the section cleanup of the outbox gives the defaults."
        },
        footer = {
            "  postrider cleanup --config postrider.yaml --retention 30d --once",
            "  postrider cleanup --config postrider.yaml --retention 30d --include-dead --check-every 10m --verbose"
        })
final class CleanupCommand extends OutboxCommand {

    @Option(names = "--retention", paramLabel = "TIME", description = "How long delivered messages stay, such as 30d.")
    private @Nullable Duration retention;

    @Option(names = "--include-dead", description = "Deletes dead letters as old as that, too.")
    private boolean includeDead;

    @Option(names = "--dedup-retention", paramLabel = "TIME", description = "How long dedup keys stay. Default: 7d.")
    private @Nullable Duration dedupRetention;

    @Option(
            names = "--operation-retention",
            paramLabel = "TIME",
            description = "How long records of operations stay. Default: 365d.")
    private @Nullable Duration operationRetention;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "How many rows one statement deletes at most. Default: 10000.")
    private @Nullable Integer limit;

    @Option(names = "--check-every", paramLabel = "TIME", description = "How often to look. Default: 1h.")
    private @Nullable Duration checkEvery;

    @Option(names = "--once", description = "Looks once and ends.")
    private boolean once;

    @Option(names = "--verbose", description = "Says every batch on standard error.")
    private boolean verbose;

    @Override
    ExitCode run(OutboxTarget target, OutboxStore store) throws InterruptedException {
        try (Cleanup cleanup = cleanup(target, store)) {
            if (once) {
                print(cleanup.runOnce());
            } else {
                Duration interval = interval(target, "cleanup", checkEvery);
                new Repeated(interval, cleanup, err()).run(() -> print(cleanup.runOnce()));
            }
            return ExitCode.OK;
        }
    }

    private Cleanup cleanup(OutboxTarget target, OutboxStore store) {
        try {
            CleanupBuilder builder = builder(target, store);
            if (includeDead) {
                builder.includeDead();
            }
            Optional.ofNullable(dedupRetention).ifPresent(builder::dedupRetention);
            Optional.ofNullable(operationRetention).ifPresent(builder::operationRetention);
            Optional.ofNullable(limit).ifPresent(builder::limit);
            Optional.ofNullable(checkEvery).ifPresent(builder::checkEvery);
            if (verbose) {
                builder.listener(new BatchTeller());
            }
            return builder.build();
        } catch (IllegalArgumentException wrong) {
            throw usage(String.valueOf(wrong.getMessage()));
        }
    }

    private CleanupBuilder builder(OutboxTarget target, OutboxStore store) {
        if (retention != null) {
            return Cleanup.builder(store, retention);
        }
        return target.config()
                .flatMap(config -> config.cleanup(store))
                .orElseThrow(() -> usage("How long do messages stay? Give --retention, such as 30d"));
    }

    private void print(CleanupReport report) {
        answers()
                .print(
                        () -> List.of(
                                "%s: deleted %d delivered messages, %d dead letters, %d dedup keys, %d records of operations in %s"
                                        .formatted(
                                                MaintenanceTexts.of(report.outcome()),
                                                report.sent(),
                                                report.deadLetters(),
                                                report.dedupKeys(),
                                                report.operations(),
                                                Readable.time(report.took()))),
                        () -> new Fields()
                                .with("outcome", report.outcome().name())
                                .with("sent", report.sent())
                                .with("dead_letters", report.deadLetters())
                                .with("dedup_keys", report.dedupKeys())
                                .with("operations", report.operations())
                                .with("took_ms", report.took().toMillis()));
    }

    /** Says every batch. */
    private final class BatchTeller implements MaintenanceListener {
        @Override
        public void deleted(Expired what, int rows, long total) {
            err().println("deleted " + rows + " of " + what + ", " + total + " in all");
        }
    }
}
