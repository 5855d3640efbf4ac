package dev.postrider.cli.command;

import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.maintenance.MaintenanceListener;
import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.maintenance.PartitionKeeperBuilder;
import dev.postrider.maintenance.PartitionPeriod;
import dev.postrider.maintenance.PartitionReport;
import dev.postrider.service.operation.Fields;
import dev.postrider.spi.AuditPartitions.Partition;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postrider partitions}. */
@Command(
        name = "partitions",
        description = {
            "Creates partitions of the audit trail ahead of time and drops old ones, if your service may not run DDL.",
            "",
            "Repeats at every interval until you stop it; with --once it runs once, for cron. With --config, the"
                    + " section partitions of the outbox gives the defaults."
        },
        footer = {
            "  postrider partitions --config postrider.yaml --period day --retention 30d --once",
            "  postrider partitions --config postrider.yaml --period hour --lookahead 72h --check-every 10m"
        })
final class PartitionsCommand extends OutboxCommand {

    @Option(names = "--period", paramLabel = "PERIOD", description = "What one partition covers: hour, day or month.")
    private @Nullable PartitionPeriod period;

    @Option(
            names = "--lookahead",
            paramLabel = "TIME",
            description = "How far ahead partitions are created. Default: 48h, 30d or 90d by period.")
    private @Nullable Duration lookahead;

    @Option(
            names = "--retention",
            paramLabel = "TIME",
            description = "How long delivered messages stay at least. Default: 0, which drops nothing.")
    private @Nullable Duration retention;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "How many rows may be moved from the tail into a new partition. Default: 50000.")
    private @Nullable Integer limit;

    @Option(names = "--check-every", paramLabel = "TIME", description = "How often to look. Default: 1h.")
    private @Nullable Duration checkEvery;

    @Option(names = "--once", description = "Looks once and ends.")
    private boolean once;

    @Option(names = "--verbose", description = "Says every partition on standard error.")
    private boolean verbose;

    @Override
    ExitCode run(OutboxTarget target, OutboxStore store) throws InterruptedException {
        try (PartitionKeeper keeper = keeper(target, store)) {
            if (once) {
                PartitionReport report = keeper.runOnce();
                print(report);
                return report.postponed().isEmpty() && !report.isStuck() ? ExitCode.OK : ExitCode.FAILED;
            }
            Duration interval = interval(target, "partitions", checkEvery);
            new Repeated(interval, keeper, err()).run(() -> print(keeper.runOnce()));
            return ExitCode.OK;
        }
    }

    private PartitionKeeper keeper(OutboxTarget target, OutboxStore store) {
        try {
            PartitionKeeperBuilder builder = builder(target, store);
            Optional.ofNullable(lookahead).ifPresent(builder::lookahead);
            Optional.ofNullable(retention).ifPresent(builder::retention);
            Optional.ofNullable(limit).ifPresent(builder::maxMovedRows);
            Optional.ofNullable(checkEvery).ifPresent(builder::checkEvery);
            if (verbose) {
                builder.listener(new PartitionTeller());
            }
            return builder.build();
        } catch (IllegalArgumentException wrong) {
            throw usage(String.valueOf(wrong.getMessage()));
        }
    }

    private PartitionKeeperBuilder builder(OutboxTarget target, OutboxStore store) {
        if (period != null) {
            return PartitionKeeper.builder(store, period);
        }
        return target.config()
                .flatMap(config -> config.partitions(store))
                .orElseThrow(() -> usage("What does one partition cover? Give --period hour, day or month"));
    }

    private void print(PartitionReport report) {
        answers()
                .print(
                        () -> List.of(
                                "%s: created %d, dropped %d, postponed %d, skipped %d, kept %d, deleted %d rows of the tail"
                                        .formatted(
                                                MaintenanceTexts.of(report.outcome()),
                                                report.created().size(),
                                                report.dropped().size(),
                                                report.postponed().size(),
                                                report.skipped().size(),
                                                report.kept().size(),
                                                report.deletedFromTail())),
                        () -> new Fields()
                                .with("outcome", report.outcome().name())
                                .with("created", report.created())
                                .with("dropped", report.dropped())
                                .with("postponed", report.postponed())
                                .with("skipped", report.skipped())
                                .with("kept", report.kept())
                                .with("deleted_from_tail", report.deletedFromTail()));
    }

    /** Says every partition. */
    private final class PartitionTeller implements MaintenanceListener {
        @Override
        public void partitionCreated(Partition partition) {
            err().println("created " + partition.name());
        }

        @Override
        public void partitionDropped(Partition partition) {
            err().println("dropped " + partition.name());
        }

        @Override
        public void partitionPostponed(Partition partition) {
            err().println("postponed " + partition.name() + ": the table is in use");
        }

        @Override
        public void partitionKept(Partition partition) {
            err().println("kept " + partition.name() + ": it holds messages that were not delivered");
        }

        @Override
        public void partitionSkipped(Partition partition) {
            err().println("skipped " + partition.name() + ": the tail holds too many rows of its time");
        }
    }
}
