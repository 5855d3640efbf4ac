package dev.postrider.cli.command;

import dev.postrider.service.operation.DeadAction;
import picocli.CommandLine.Command;

/** {@code postrider dead discard}. */
@Command(
        name = "discard",
        description = "Deletes dead letters for good. They are never delivered; dead export keeps a copy.",
        footer = {
            "  postrider dead discard --config postrider.yaml --reason unreadable --dry-run",
            "  postrider dead discard --config postrider.yaml --until 30d --yes"
        })
final class DeadDiscardCommand extends DeadActionCommand {

    @Override
    DeadAction action() {
        return DeadAction.DISCARD;
    }

    @Override
    String verb() {
        return "Discard";
    }

    @Override
    String done() {
        return "discarded";
    }

    @Override
    String told(String letters) {
        return "discarded " + letters;
    }
}
