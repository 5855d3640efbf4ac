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
            "  postrider demo              see it work, faults included; needs no server",
            "  postrider demo --help       what a command does and takes",
            "",
            "Every option can also be set in the environment: --password-file by POSTRIDER_PASSWORD_FILE, or for one command"
                    + " alone by, say, POSTRIDER_SCHEMA_APPLY_PASSWORD_FILE; or in the section 'options' of the file that --config"
                    + " or POSTRIDER_CONFIG names.",
            "Exit codes: 0 done, 1 failed, 2 called or configured wrongly."
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
