package dev.postrider.cli.command;

import dev.postrider.cli.options.Environment;
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
        subcommands = {
            DemoCommand.class,
            SchemaCommand.class,
            LanesCommand.class,
            RelayCommand.class,
            SendCommand.class,
            StatusCommand.class,
            DoctorCommand.class,
            ConsoleCommand.class,
            MessageCommand.class,
            DeadCommand.class,
            PauseCommand.class,
            ResumeCommand.class,
            UnblockCommand.class,
            CleanupCommand.class,
            PartitionsCommand.class,
            ImportCommand.class,
            TailCommand.class,
            ProveCommand.class,
            BenchCommand.class,
            CompletionCommand.class,
            HelpCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  postrider demo              see it work under faults; needs no server",
            "  postrider help dead retry   what a command does, and its options",
            "",
            "You can also set every option in the environment: POSTRIDER_PASSWORD_FILE sets --password-file for all"
                    + " commands, POSTRIDER_SCHEMA_APPLY_PASSWORD_FILE for one. Or set it in the section 'options' of the"
                    + " file that --config or POSTRIDER_CONFIG names.",
            "Exit codes: 0 done, 1 failed, 2 wrong options or configuration."
        })
public final class PostriderCommand implements Runnable, Environment.Source {

    private final Environment environment;

    @Spec
    private CommandSpec spec;

    public PostriderCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Environment environment() {
        return environment;
    }

    /** Called when no command is named. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "No command is given");
    }
}
