package dev.postrider.cli.command;

import picocli.CommandLine.Command;

/** {@code postrider schema}: the tables of an outbox. */
@Command(
        name = "schema",
        description = "Prints, creates or checks the tables of an outbox.",
        subcommands = {SchemaPrintCommand.class, SchemaApplyCommand.class, SchemaVerifyCommand.class},
        footer = {
            "  postrider schema print --dialect postgres > V7__outbox.sql",
            "  postrider schema apply --url jdbc:postgresql://localhost/app --user app --password-file pw",
            "  postrider schema verify --config postrider.yaml"
        })
final class SchemaCommand extends GroupCommand {}
