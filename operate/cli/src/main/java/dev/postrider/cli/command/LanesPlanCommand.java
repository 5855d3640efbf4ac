package dev.postrider.cli.command;

import dev.postrider.internal.Readable;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.service.operation.Fields;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.StoredSchema;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postrider lanes plan}. */
@Command(
        name = "plan",
        description = "Says what there is now and which steps lead to another lane count. Changes nothing.",
        footer = {"  postrider lanes plan --config postrider.yaml --to-prefix outbox2 --lanes 64"})
final class LanesPlanCommand extends LanesStepCommand {

    @Option(names = "--lanes", required = true, paramLabel = "N", description = "The new lane count, 1 to 1024.")
    private int lanes;

    @Override
    ExitCode run(OutboxStore old, StoredSchema schema, OutboxDatabase opened, StoreSettings next) {
        try {
            next.lanes(lanes);
        } catch (IllegalArgumentException wrong) {
            throw usage("--" + wrong.getMessage());
        }
        OutboxStats stats = old.stats();
        Optional<StoredSchema> there = opened.tables(next).stored();
        answers().print(() -> lines(old, stats, next, there), () -> fields(old, stats, next, there));
        return there.isPresent() && there.get().lanes() != lanes ? ExitCode.FAILED : ExitCode.OK;
    }

    private List<String> lines(OutboxStore old, OutboxStats stats, StoreSettings next, Optional<StoredSchema> there) {
        String to = next.prefixName();
        return List.of(
                "outbox %s has %s; undelivered %d, held %d, delayed %d, dead letters %d"
                        .formatted(
                                old.name(),
                                Readable.count(old.laneCount(), "lane"),
                                stats.undelivered(),
                                stats.held(),
                                stats.delayed(),
                                stats.dead()),
                there.map(found -> "outbox %s exists already, with %s"
                                .formatted(to, Readable.count(found.lanes(), "lane")))
                        .orElse("outbox %s does not exist yet".formatted(to)),
                "1. postrider lanes create --to-prefix %s --lanes %d   creates it, its deliveries paused"
                        .formatted(to, lanes),
                "2. start relays for the prefix " + to + ", beside those of the old one, which go on",
                "3. stop all writers, and start them for the prefix " + to + "; what they write waits",
                "4. postrider lanes switch --to-prefix %s              waits until the old one is empty, then lets %s go"
                        .formatted(to, to),
                "5. stop the old relays; when the dead letters are dealt with, drop the old tables");
    }

    private Fields fields(OutboxStore old, OutboxStats stats, StoreSettings next, Optional<StoredSchema> there) {
        return new Fields()
                .with("outbox", old.name())
                .with("lanes", old.laneCount())
                .with("undelivered", stats.undelivered())
                .with("held", stats.held())
                .with("delayed", stats.delayed())
                .with("dead", stats.dead())
                .with("to_prefix", next.prefixName())
                .with("to_lanes", lanes)
                .with("existing_lanes", there.map(StoredSchema::lanes));
    }
}
