package dev.postrider.cli.command;

import dev.postrider.cli.options.OperatorOption;
import dev.postrider.internal.Readable;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.OutboxTables;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.service.operation.Fields;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.jdbc.StoredSchema;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postrider lanes create}. */
@Command(
        name = "create",
        description = {
            "Creates the new outbox, like the old one but for its lane count, and pauses deliveries from it.",
            "",
            "So writers can use it while the old one is still being delivered, and no message overtakes an older one."
                    + " If it exists already, nothing is changed and nothing paused."
        },
        footer = {
            "  postrider lanes create --config postrider.yaml --to-prefix outbox2 --lanes 64",
            "  postrider lanes create --url jdbc:h2:./app --destination kafka-main --to-prefix outbox2 --lanes 64"
        })
final class LanesCreateCommand extends LanesStepCommand {

    @Option(names = "--lanes", required = true, paramLabel = "N", description = "The new lane count, 1 to 1024.")
    private int lanes;

    @Mixin
    private OperatorOption operator;

    @Override
    ExitCode run(OutboxStore old, StoredSchema schema, OutboxDatabase opened, StoreSettings next) {
        Set<String> destinations = destinations();
        OutboxTables tables = tables(opened, next);
        boolean isNew = tables.stored().isEmpty();
        OutboxStore created = tables.open(SchemaMode.CREATE);
        if (isNew) {
            destinations.forEach(name -> created.pauses().pause(name, operator.name()));
        }
        Set<String> paused = created.pauses().paused();
        answers()
                .print(
                        () -> List.of("outbox %s: %s (%s), paused: %s"
                                .formatted(
                                        created.name(),
                                        isNew ? "created" : "exists already",
                                        Readable.count(created.laneCount(), "lane"),
                                        paused.isEmpty() ? "nothing" : String.join(", ", paused))),
                        () -> new Fields()
                                .with("outbox", created.name())
                                .with("created", isNew)
                                .with("lanes", created.laneCount())
                                .with("paused", paused));
        return ExitCode.OK;
    }

    private OutboxTables tables(OutboxDatabase opened, StoreSettings next) {
        try {
            return opened.tables(next.lanes(lanes));
        } catch (IllegalArgumentException wrong) {
            throw usage("--" + wrong.getMessage());
        }
    }
}
