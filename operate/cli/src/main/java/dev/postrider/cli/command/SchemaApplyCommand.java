package dev.postrider.cli.command;

import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.cli.options.TableOptions;
import dev.postrider.cli.output.Answers;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.OutboxTables;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.jdbc.StoredSchema;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code postrider schema apply}: creates or upgrades the tables. */
@Command(
        name = "apply",
        description = {
            "Creates the tables, or upgrades them to this version. Running it again changes nothing.",
            "",
            "Several at once are safe. The lane count and the payload type of existing tables never change."
        },
        footer = {
            "  postrider schema apply --url jdbc:postgresql://localhost/app --user app --password-file pw",
            "  postrider schema apply --url jdbc:h2:./app --audit plain",
            "  postrider schema apply --config postrider.yaml --outbox orders"
        })
final class SchemaApplyCommand extends SchemaTablesCommand {

    @Mixin
    private TableOptions tables;

    @Override
    OutboxDatabase open(DatabaseSettings settings) {
        return OutboxDatabase.openOrCreate(settings);
    }

    @Override
    ExitCode run(OutboxTarget target, OutboxDatabase database) {
        OutboxTables outbox = database.tables(tables.applyTo(target.store()));
        Optional<StoredSchema> before = outbox.stored();
        String name = target.nameOr(outbox.open(SchemaMode.CREATE));
        StoredSchema now = outbox.stored().orElseThrow();
        String change = before.isEmpty() ? "created" : before.get().equals(now) ? "unchanged" : "upgraded";
        print(answers(), name, now, change);
        return ExitCode.OK;
    }

    private static void print(Answers answers, String name, StoredSchema schema, String change) {
        answers.print(() -> SchemaTexts.lines(name, schema, change), () -> SchemaTexts.fields(name, schema, change));
    }
}
