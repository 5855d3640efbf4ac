package dev.postrider.cli.command;

import dev.postrider.cli.dead.LetterText;
import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.cli.options.Values;
import dev.postrider.service.operation.LetterJson;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.OutboxStore;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postrider dead show}. */
@Command(
        name = "show",
        description = "Shows everything about one dead letter.",
        footer = {
            "  postrider dead show 0199e6a0-0000-7000-8000-000000000000 --config postrider.yaml",
            "  postrider dead show 0199e6a0-0000-7000-8000-000000000000 --config postrider.yaml --payload"
        })
final class DeadShowCommand extends OutboxCommand {

    @Parameters(paramLabel = "ID", description = "The id of the message.")
    private String id;

    @Option(names = "--payload", description = "Shows payload and header values, which may be confidential.")
    private boolean payload;

    @Override
    ExitCode run(OutboxTarget target, OutboxStore store) {
        requireShared(store, OutboxStore.Part.DEAD_LETTERS);
        Optional<DeadLetter> found = store.deadLetters().find(Values.messageId(spec(), id));
        if (found.isEmpty()) {
            err().println("There is no dead letter " + id + " in outbox " + target.nameOr(store));
            return ExitCode.FAILED;
        }
        DeadLetter letter = found.get();
        answers().print(() -> LetterText.details(letter, payload), () -> LetterJson.fields(letter, payload));
        return ExitCode.OK;
    }
}
