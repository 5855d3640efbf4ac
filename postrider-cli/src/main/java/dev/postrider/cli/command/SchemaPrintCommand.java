package dev.postrider.cli.command;

import dev.postrider.cli.options.TableOptions;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.OutboxTables;
import dev.postrider.service.database.StoreSettings;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code postrider schema print}: plain SQL for other tools and for people. */
@Command(
        name = "print",
        description = "Prints the SQL that creates the tables, for Flyway, Liquibase or a person. Needs no server.",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  postrider schema print --dialect postgres",
            "  postrider schema print --dialect mysql --payload json --audit partitioned",
            "  postrider schema print --dialect h2 --prefix orders --lanes 1"
        })
final class SchemaPrintCommand implements Callable<Integer> {

    @Option(
            names = "--dialect",
            required = true,
            paramLabel = "NAME",
            description = "postgres, mysql, mariadb, tidb or h2.")
    private DatabaseKind dialect;

    @Option(names = "--prefix", paramLabel = "NAME", description = "What the table names begin with. Default: outbox.")
    private @Nullable String prefix;

    @Option(names = "--schema", paramLabel = "NAME", description = "Schema of the tables; on MySQL the database.")
    private @Nullable String schema;

    @Mixin
    private TableOptions tables;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        try {
            StoreSettings settings = tables.applyTo(new StoreSettings());
            Optional.ofNullable(prefix).ifPresent(settings::prefix);
            Optional.ofNullable(schema).ifPresent(settings::schema);
            spec.commandLine().getOut().print(OutboxTables.sql(dialect, settings));
            spec.commandLine().getOut().flush();
            return ExitCode.OK.number();
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), "--" + wrong.getMessage());
        }
    }
}
