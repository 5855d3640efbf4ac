package dev.postrider.cli.command;

import dev.postrider.cli.options.DeadLetterOptions;
import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.service.OutboxConfig;
import dev.postrider.service.operation.Selection;
import dev.postrider.spi.OutboxStore;
import picocli.CommandLine.Mixin;

/** A command about those dead letters of an outbox that match. */
abstract class DeadLettersCommand extends OutboxCommand {

    @Mixin
    private DeadLetterOptions letters;

    @Override
    final ExitCode run(OutboxTarget target, OutboxStore store) throws Exception {
        requireShared(store, OutboxStore.Part.DEAD_LETTERS);
        return run(selection(target, store));
    }

    abstract ExitCode run(Selection selection) throws Exception;

    final boolean isUnfiltered() {
        return letters.isEmpty();
    }

    /** For what {@code --limit} says. */
    final long atLeastOne(long limit) {
        if (limit < 1) {
            throw usage("--limit is " + limit + ", expected at least 1");
        }
        return limit;
    }

    private Selection selection(OutboxTarget target, OutboxStore store) {
        if (letters.destination().isEmpty()) {
            return Selection.of(store.deadLetters(), letters.filter());
        }
        String destination = letters.destination().orElseThrow();
        OutboxConfig config = target.config()
                .orElseThrow(
                        () -> usage("--destination needs --config: the database knows topics, the file their routes"));
        if (!config.routes().destinations().contains(destination)) {
            throw usage("Outbox " + config.name() + " has no destination '" + destination + "'; it has "
                    + String.join(", ", config.routes().destinations()));
        }
        return Selection.of(store.deadLetters(), letters.filter(), config.routes(), destination);
    }
}
