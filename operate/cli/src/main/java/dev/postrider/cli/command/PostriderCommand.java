package dev.postrider.cli.command;

import dev.postrider.cli.options.Environment;
import picocli.CommandLine.Command;

/** The program itself: lists its commands, prints help and version. */
@Command(
        name = "postrider",
        description = "A transactional outbox: every committed message reaches the broker, in order per key.",
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
        footer = {
            "  postrider demo              see it work under faults; needs no server",
            "  postrider help dead retry   what a command does, and its options",
            "",
            "You can also set every option in the environment: POSTRIDER_PASSWORD_FILE sets --password-file for all"
                    + " commands, POSTRIDER_SCHEMA_APPLY_PASSWORD_FILE for one. Or set it in the section 'options' of the"
                    + " file that --config or POSTRIDER_CONFIG names.",
            "Exit codes: 0 done, 1 failed, 2 wrong options or configuration."
        })
public final class PostriderCommand extends GroupCommand implements Environment.Source {

    private final Environment environment;

    public PostriderCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Environment environment() {
        return environment;
    }
}
