package dev.postrider.cli.command;

import picocli.CommandLine.Command;

/** {@code postrider lanes}: another lane count, by a new outbox that takes the place of the old one. */
@Command(
        name = "lanes",
        description = {
            "Changes the lane count: moves to a new outbox with another prefix, without losing or reordering a message.",
            "",
            "plan says what will happen; create makes the new outbox and pauses deliveries from it; then writers and relays are"
                    + " deployed for it; switch waits until the old one is empty, and lets the new one go."
        },
        subcommands = {LanesPlanCommand.class, LanesCreateCommand.class, LanesSwitchCommand.class},
        footer = {
            "  postrider lanes plan   --config postrider.yaml --to-prefix outbox2 --lanes 64",
            "  postrider lanes create --config postrider.yaml --to-prefix outbox2 --lanes 64",
            "  postrider lanes switch --config postrider.yaml --to-prefix outbox2"
        })
final class LanesCommand extends GroupCommand {}
