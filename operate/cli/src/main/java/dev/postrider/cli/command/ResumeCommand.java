package dev.postrider.cli.command;

import picocli.CommandLine.Command;

/** {@code postrider resume}. */
@Command(
        name = "resume",
        description = {
            "Resumes deliveries to a paused destination, for all relays of the outbox, within a second or two."
        },
        footer = {
            "  postrider resume kafka-main --config postrider.yaml",
            "  postrider resume kafka-main --url jdbc:h2:./app --operator ann"
        })
final class ResumeCommand extends DestinationCommand {

    @Override
    boolean isPause() {
        return false;
    }

    @Override
    String changed(boolean wasPaused) {
        return wasPaused ? "resumed" : "was not paused";
    }
}
