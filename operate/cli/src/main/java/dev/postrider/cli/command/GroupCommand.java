package dev.postrider.cli.command;

import picocli.CommandLine.Command;

/** A command that only has others below it. */
@Command(synopsisSubcommandLabel = "COMMAND", commandListHeading = "%nCommands:%n")
abstract class GroupCommand extends AnyCommand implements Runnable {

    /** Called when no command is named. */
    @Override
    public final void run() {
        throw usage("No command is given");
    }
}
