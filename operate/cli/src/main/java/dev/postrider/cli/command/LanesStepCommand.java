package dev.postrider.cli.command;

import dev.postrider.cli.options.DatabaseOptions;
import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.cli.options.OutputOptions;
import dev.postrider.cli.output.Answers;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.OutboxTables;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.jdbc.StoredSchema;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A step on the way from one outbox to another with a different lane count, in the same schema. */
abstract class LanesStepCommand extends AnyCommand implements Callable<Integer> {

    @Mixin
    private DatabaseOptions database;

    @Option(
            names = "--to-prefix",
            required = true,
            paramLabel = "NAME",
            description = "The prefix of the new outbox's tables.")
    private String toPrefix;

    @Option(
            names = "--destination",
            paramLabel = "NAME",
            description = "A destination of the outbox; may be repeated. A file has them already.")
    private List<String> destinations = List.of();

    @Mixin
    private OutputOptions output;

    @Override
    public final Integer call() throws Exception {
        OutboxTarget target = database.target();
        if (target.store().prefixName().equals(toPrefix)) {
            throw usage("--to-prefix is '" + toPrefix + "', the prefix of the outbox itself; choose another");
        }
        try (OutboxDatabase opened = OutboxDatabase.open(target.database())) {
            OutboxTables tables = opened.tables(target.store());
            OutboxStore old = tables.open(SchemaMode.VERIFY);
            StoredSchema schema = tables.stored().orElseThrow();
            return run(old, schema, opened, successor(target.store(), schema)).number();
        }
    }

    /** Like the old one but for the prefix. */
    private StoreSettings successor(StoreSettings old, StoredSchema schema) {
        try {
            StoreSettings next = new StoreSettings()
                    .prefix(toPrefix)
                    .payload(schema.payload())
                    .audit(schema.audit())
                    .scanMode(old.scanMode());
            old.schemaName().ifPresent(next::schema);
            return next;
        } catch (IllegalArgumentException wrong) {
            throw usage("--to-" + wrong.getMessage());
        }
    }

    abstract ExitCode run(OutboxStore old, StoredSchema schema, OutboxDatabase opened, StoreSettings next)
            throws Exception;

    /** From the file, or from the command line. */
    final Set<String> destinations() {
        Set<String> names = new LinkedHashSet<>(destinations);
        database.target()
                .config()
                .ifPresent(config -> names.addAll(config.routes().destinations()));
        if (names.isEmpty()) {
            throw usage("Which destinations? Give --config, or each by --destination");
        }
        return names;
    }

    final Answers answers() {
        return answers(output);
    }
}
