package dev.postrider.cli.command;

import dev.postrider.service.operation.DeadAction;
import picocli.CommandLine.Command;

/** {@code postrider dead retry}. */
@Command(
        name = "retry",
        description = {
            "Retries dead letters, and counts their attempts from zero.",
            "",
            "A running relay carries it out within a second or two, each message ahead of the rest of its key. What"
                    + " cannot be read as a message is passed over until it can be: raise max-payload-bytes or"
                    + " max-header-bytes if it is too large, else export and discard it."
        },
        footer = {
            "  postrider dead retry --config postrider.yaml --topic orders --since 2h --dry-run",
            "  postrider dead retry --config postrider.yaml --destination kafka-main --yes",
            "  postrider dead retry --config postrider.yaml --all --limit 10 --yes"
        })
final class DeadRetryCommand extends DeadActionCommand {

    @Override
    DeadAction action() {
        return DeadAction.RETRY;
    }

    @Override
    String verb() {
        return "Retry";
    }

    @Override
    String done() {
        return "requested";
    }

    @Override
    String told(String letters) {
        return "requested a retry of " + letters;
    }
}
