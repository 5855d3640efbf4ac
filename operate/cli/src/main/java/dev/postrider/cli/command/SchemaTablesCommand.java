package dev.postrider.cli.command;

import dev.postrider.cli.options.DatabaseOptions;
import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.cli.options.OutputOptions;
import dev.postrider.cli.output.Answers;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.OutboxDatabase;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command about the tables of an outbox in a database that runs. */
abstract class SchemaTablesCommand extends AnyCommand implements Callable<Integer> {

    @Mixin
    private DatabaseOptions database;

    @Option(
            names = "--dialect",
            paramLabel = "NAME",
            description = "postgres, mysql, mariadb, tidb or h2; by default what the address says.")
    private @Nullable DatabaseKind dialect;

    @Mixin
    private OutputOptions output;

    @Override
    public final Integer call() {
        OutboxTarget target = database.target();
        DatabaseKind kind = target.database().kind();
        if (dialect != null && !kind.canBe(dialect)) {
            throw usage("--dialect is " + dialect + ", but the address is of " + kind);
        }
        try (OutboxDatabase opened = open(target.database())) {
            return run(target, opened).number();
        }
    }

    /** Connects; by default to a database that is there. */
    OutboxDatabase open(DatabaseSettings settings) {
        return OutboxDatabase.open(settings);
    }

    abstract ExitCode run(OutboxTarget target, OutboxDatabase opened);

    final Answers answers() {
        return answers(output);
    }
}
