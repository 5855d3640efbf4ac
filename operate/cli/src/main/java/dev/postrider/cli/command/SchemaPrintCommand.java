package dev.postrider.cli.command;

import dev.postrider.cli.options.OutputOptions;
import dev.postrider.cli.options.TableOptions;
import dev.postrider.service.config.ValueFormat;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.InboxTables;
import dev.postrider.service.database.OutboxTables;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.service.operation.Fields;
import dev.postrider.store.existing.Preset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postrider schema print}: plain SQL for other tools and for people. */
@Command(
        name = "print",
        description = {
            "Prints the SQL that creates the tables, for Flyway, Liquibase or a person. Needs no server.",
            "",
            "With --from it prints what changes tables of that version to the present one, and nothing else. Give the"
                    + " lane count and payload type that the tables were created with; 'schema verify' shows them."
        },
        footer = {
            "  postrider schema print --dialect postgres",
            "  postrider schema print --dialect mysql --payload json --audit partitioned",
            "  postrider schema print --dialect h2 --prefix orders --lanes 1",
            "  postrider schema print --dialect postgres --from 1 > V8__outbox_upgrade.sql",
            "  postrider schema print --dialect postgres --inbox",
            "  postrider schema print --dialect mysql --preset enum-status --table order_outbox"
        })
final class SchemaPrintCommand extends AnyCommand implements Callable<Integer> {

    private static final List<String> ONLY_OF_OUTBOXES =
            List.of("--from", "--preset", "--table", "--lanes", "--payload", "--audit");

    @Option(
            names = "--dialect",
            required = true,
            paramLabel = "NAME",
            description = "postgres, mysql, mariadb, tidb or h2.")
    private DatabaseKind dialect;

    @Option(
            names = "--prefix",
            paramLabel = "NAME",
            description = "What the table names begin with. Default: outbox, or inbox.")
    private @Nullable String prefix;

    @Option(names = "--schema", paramLabel = "NAME", description = "Schema of the tables; on MySQL the database.")
    private @Nullable String schema;

    @Option(
            names = "--from",
            paramLabel = "VERSION",
            description = "Prints the change from this version of the tables to the present one instead.")
    private @Nullable Integer from;

    @Option(
            names = "--preset",
            paramLabel = "NAME",
            description = "Prints the tables of this preset for existing outboxes instead: records, enum-status,"
                    + " pending-wait …")
    private @Nullable String preset;

    @Option(
            names = "--table",
            paramLabel = "NAME",
            description = "With --preset: the name of its table, if it is not the preset's.")
    private @Nullable String table;

    @Option(
            names = "--inbox",
            description = "Prints the tables of an inbox instead; with --dialect, --prefix and --schema only.")
    private boolean isInbox;

    @Mixin
    private TableOptions tables;

    @Mixin
    private OutputOptions output;

    private String sql(StoreSettings settings) {
        if (isInbox) {
            return inboxSql();
        }
        if (preset != null && from != null) {
            throw usage("--preset and --from exclude each other; leave one out");
        }
        if (preset != null) {
            return presetSql(preset);
        }
        if (table != null) {
            throw usage("--table goes with --preset");
        }
        return from == null ? OutboxTables.sql(dialect, settings) : OutboxTables.upgradeSql(dialect, settings, from);
    }

    private String inboxSql() {
        for (String option : ONLY_OF_OUTBOXES) {
            if (spec().commandLine().getParseResult().hasMatchedOption(option)) {
                throw usage("An inbox has no " + option + "; leave it out");
            }
        }
        return InboxTables.sql(dialect, Optional.ofNullable(schema), Optional.ofNullable(prefix));
    }

    private String presetSql(String label) {
        try {
            Preset chosen = Preset.of(label);
            String database = dialect.name().toLowerCase(Locale.ROOT);
            return table == null ? chosen.ddl(database) : chosen.ddl(database, table);
        } catch (IllegalArgumentException unknown) {
            throw usage(String.valueOf(unknown.getMessage()));
        }
    }

    @Override
    public Integer call() {
        try {
            StoreSettings settings = tables.applyTo(new StoreSettings());
            Optional.ofNullable(prefix).ifPresent(settings::prefix);
            Optional.ofNullable(schema).ifPresent(settings::schema);
            String sql = sql(settings);
            answers(output)
                    .print(
                            () -> sql.lines().toList(),
                            () -> new Fields()
                                    .with("dialect", ValueFormat.nameOf(dialect))
                                    .with("sql", sql));
            return ExitCode.OK.number();
        } catch (IllegalArgumentException wrong) {
            throw usage("--" + wrong.getMessage());
        }
    }
}
