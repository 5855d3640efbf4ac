package dev.postrider.cli.command;

import dev.postrider.cli.options.DatabaseOptions;
import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.cli.options.OutputOptions;
import dev.postrider.service.OutboxConfig;
import dev.postrider.service.ServiceConfig;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.operation.Fields;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.existing.ImportReport;
import dev.postrider.store.existing.MoveOutboxStore;
import dev.postrider.store.existing.Preset;
import dev.postrider.store.existing.TableImport;
import dev.postrider.store.existing.TableMapping;
import dev.postrider.store.jdbc.SchemaMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postrider import}: undelivered rows of an existing table become messages of an outbox. */
@Command(
        name = "import",
        description = {
            "Moves the undelivered rows of an existing table into the outbox, in order and in batches.",
            "",
            "Stop the relays of the table first. It can be interrupted and run again."
        },
        footer = {
            "  postrider import --preset event-outbox --dry-run --config postrider.yaml",
            "  postrider import --preset enum-status --table old_outbox --config postrider.yaml",
            "  postrider import --from old --config postrider.yaml --outbox new"
        })
final class ImportCommand extends AnyCommand implements Callable<Integer> {

    @Option(
            names = "--from",
            paramLabel = "NAME",
            description = "An outbox of the file with a section 'existing'; its database may be another one.")
    private @Nullable String from;

    @Option(
            names = "--preset",
            paramLabel = "NAME",
            description = "Instead: what the table in the same database is like.")
    private @Nullable String preset;

    @Option(names = "--table", paramLabel = "NAME", description = "Its name, if it is not the preset's.")
    private @Nullable String table;

    @Option(names = "--batch", paramLabel = "ROWS", description = "How many rows go at once. Default: 500.")
    private int batch = 500;

    @Option(names = "--dry-run", description = "Says what would be done, and changes nothing.")
    private boolean isDryRun;

    @Mixin
    private DatabaseOptions database;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        OutboxTarget target = database.target();
        try (OutboxDatabase opened = OutboxDatabase.open(target.database())) {
            OutboxStore outbox = opened.tables(target.store()).open(SchemaMode.VERIFY);
            if (from == null) {
                move(ofPreset(opened.dataSource()), outbox);
            } else {
                moveFromFile(from, opened, outbox);
            }
            return ExitCode.OK.number();
        } catch (IllegalArgumentException wrong) {
            throw usage(String.valueOf(wrong.getMessage()));
        }
    }

    private void moveFromFile(String name, OutboxDatabase opened, OutboxStore outbox) {
        ServiceConfig file = database.file()
                .orElseThrow(
                        () -> new IllegalArgumentException("--from needs --config: it names an outbox of the file"));
        OutboxConfig source = file.outbox(name);
        if (source.database().url().equals(opened.settings().url())) {
            move(opened.tables(source.store()).importer(), outbox);
            return;
        }
        try (OutboxDatabase other = OutboxDatabase.open(source.database())) {
            move(other.tables(source.store()).importer().target(opened.dataSource()), outbox);
        }
    }

    private void move(TableImport.Builder rows, OutboxStore outbox) {
        TableImport all = rows.batchRows(batch).into(outbox);
        print(isDryRun ? all.dryRun() : all.run());
    }

    private TableImport.Builder ofPreset(DataSource dataSource) {
        if (preset == null) {
            throw new IllegalArgumentException("What is to be imported? Give --from or --preset");
        }
        Preset chosen = Preset.of(preset);
        if (chosen == Preset.PENDING_WAIT || chosen == Preset.PENDING) {
            return TableImport.from(MoveOutboxStore.builder(dataSource, chosen));
        }
        TableMapping mapping = chosen.mapping();
        return TableImport.from(
                dataSource,
                table == null ? mapping : mapping.toBuilder().table(table).build());
    }

    private void print(ImportReport report) {
        answers(output)
                .print(
                        () -> lines(report),
                        () -> new Fields()
                                .with("dry_run", report.isDryRun())
                                .with("imported", report.imported())
                                .with("unreadable", report.unreadable())
                                .with("left", report.left())
                                .with("known", report.known())
                                .with("leaders", String.join(", ", report.leaders())));
    }

    private static List<String> lines(ImportReport report) {
        List<String> lines = new ArrayList<>();
        lines.add("%s %d, unreadable %d, left %d"
                .formatted(
                        report.isDryRun() ? "would import" : "imported",
                        report.imported(),
                        report.unreadable(),
                        report.left()));
        if (report.known() > 0) {
            lines.add(
                    ("%d of them an earlier import had written already; if that was one of another server, whose table"
                                    + " has the same name, give each of the two an 'origin'")
                            .formatted(report.known()));
        }
        if (!report.leaders().isEmpty()) {
            lines.add("relays hold these leases: %s; stop the one that sends this table"
                    .formatted(String.join(", ", report.leaders())));
        }
        return lines;
    }
}
