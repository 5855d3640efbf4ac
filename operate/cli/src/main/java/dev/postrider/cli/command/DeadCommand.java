package dev.postrider.cli.command;

import picocli.CommandLine.Command;

/** {@code postrider dead}: the dead letters of an outbox. */
@Command(
        name = "dead",
        description = {
            "Lists, shows, retries, discards or exports dead letters.",
            "",
            "Payloads and header values are hidden unless --payload is given. Every retry and discard leaves a record of who"
                    + " did it in the outbox."
        },
        subcommands = {
            DeadListCommand.class,
            DeadShowCommand.class,
            DeadRetryCommand.class,
            DeadDiscardCommand.class,
            DeadExportCommand.class
        },
        footer = {
            "  postrider dead list --config postrider.yaml --reason rejected --since 2h",
            "  postrider dead retry --config postrider.yaml --topic orders --dry-run",
            "  postrider dead discard --config postrider.yaml --id 0199e6a0-0000-7000-8000-000000000000"
        })
final class DeadCommand extends GroupCommand {}
