package dev.postrider.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program itself: lists its commands, prints help and version. */
@Command(
        name = "postrider",
        description = "A transactional outbox: every committed message reaches the broker, in order per key.",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        subcommands = DemoCommand.class,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  postrider demo              see it work, faults included; needs no server",
            "  postrider demo --help       what a command does and takes",
            "",
            "Exit codes: 0 done, 1 failed, 2 called wrongly."
        })
public final class PostriderCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    /** Called when no command is named. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "No command is given");
    }
}
