package dev.postrider.cli.command;

import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.internal.Readable;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.OutboxTables;
import dev.postrider.service.database.TableProbe;
import dev.postrider.service.operation.Fields;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.jdbc.StoredSchema;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code postrider schema verify}: whether a relay can work with the tables. */
@Command(
        name = "verify",
        description = {
            "Checks that every table is there, has its columns and fits this version, and that this user may do with it"
                    + " what a relay does. Changes nothing.",
            "",
            "The exit code is 1 if anything is missing; each finding is one line."
        },
        footer = {
            "  postrider schema verify --url jdbc:postgresql://localhost/app --user relay --password-file pw",
            "  postrider schema verify --config postrider.yaml --outbox orders --output json"
        })
final class SchemaVerifyCommand extends SchemaTablesCommand {

    @Override
    ExitCode run(OutboxTarget target, OutboxDatabase database) {
        OutboxTables tables = database.tables(target.store());
        OutboxStore store = tables.open(SchemaMode.VERIFY);
        StoredSchema schema = tables.stored().orElseThrow();
        List<String> problems = new TableProbe(database.dataSource(), target.store()).problems(store.keepsDelivered());
        String name = target.nameOr(store);
        answers().print(() -> lines(name, schema, problems), () -> fields(name, schema, problems));
        return problems.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private static List<String> lines(String name, StoredSchema schema, List<String> problems) {
        if (problems.isEmpty()) {
            return SchemaTexts.lines(name, schema, "good");
        }
        List<String> lines =
                new ArrayList<>(List.of("outbox " + name + ": " + Readable.count(problems.size(), "problem")));
        problems.forEach(problem -> lines.add("  " + problem));
        lines.add("Restore the tables with: postrider schema print; or grant this user what is missing");
        return lines;
    }

    private static Fields fields(String name, StoredSchema schema, List<String> problems) {
        return SchemaTexts.fields(name, schema, problems.isEmpty() ? "good" : "wrong")
                .with("problems", problems);
    }
}
