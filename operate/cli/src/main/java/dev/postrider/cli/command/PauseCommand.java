package dev.postrider.cli.command;

import picocli.CommandLine.Command;

/** {@code postrider pause}. */
@Command(
        name = "pause",
        description = {
            "Pauses deliveries to one destination, for all relays of the outbox, within a second or two.",
            "",
            "Its messages wait in the outbox; other destinations go on. The pause lasts until you resume."
        },
        footer = {
            "  postrider pause kafka-main --config postrider.yaml",
            "  postrider pause kafka-main --url jdbc:h2:./app --operator ann"
        })
final class PauseCommand extends DestinationCommand {

    @Override
    boolean isPause() {
        return true;
    }

    @Override
    String changed(boolean wasPaused) {
        return wasPaused ? "was paused already" : "paused";
    }
}
