package dev.postrider.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code postrider schema}: the tables of an outbox. */
@Command(
        name = "schema",
        description = "Prints, creates or checks the tables of an outbox.",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        subcommands = {SchemaPrintCommand.class, SchemaApplyCommand.class, SchemaVerifyCommand.class},
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  postrider schema print --dialect postgres > V7__outbox.sql",
            "  postrider schema apply --url jdbc:postgresql://localhost/app --user app --password-file pw",
            "  postrider schema verify --config postrider.yaml"
        })
final class SchemaCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "No command is given");
    }
}
