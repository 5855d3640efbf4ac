package dev.postrider.cli.command;

import dev.postrider.cli.options.DatabaseOptions;
import dev.postrider.cli.options.ExistingOptions;
import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.cli.options.OutputOptions;
import dev.postrider.cli.output.Answers;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.SchemaMode;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** A command about one outbox: opens it, does its work, closes it. */
abstract class OutboxCommand extends AnyCommand implements Callable<Integer> {

    @Mixin
    private DatabaseOptions database;

    @Mixin
    private ExistingOptions existing;

    @Mixin
    private OutputOptions output;

    @Override
    public final Integer call() throws Exception {
        return call(existing.applyTo(database.target()));
    }

    /** Operators' commands change no tables, whatever a file says. */
    final int call(OutboxTarget target) throws Exception {
        try (OutboxDatabase opened = OutboxDatabase.open(target.database())) {
            return run(target, opened.tables(target.store()).open(SchemaMode.VERIFY), opened)
                    .number();
        }
    }

    /** For commands that need the database itself. */
    ExitCode run(OutboxTarget target, OutboxStore store, OutboxDatabase opened) throws Exception {
        return run(target, store);
    }

    ExitCode run(OutboxTarget target, OutboxStore store) throws Exception {
        throw new IllegalStateException("The command does nothing");
    }

    /** @throws StoreException if a command would see and change nothing of it, whatever relays of other processes have */
    static void requireShared(OutboxStore store, OutboxStore.Part part) {
        store.whyNotShared(part).ifPresent(why -> {
            throw new StoreException(why);
        });
    }

    /** How often to look: as the option says, else as this section of the file, else every hour. */
    static Duration interval(OutboxTarget target, String section, @Nullable Duration option) {
        return Optional.ofNullable(option)
                .or(() -> target.config().flatMap(config -> config.checkEvery(section)))
                .orElse(Duration.ofHours(1));
    }

    final Answers answers() {
        return answers(output);
    }
}
