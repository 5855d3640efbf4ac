package dev.postrider.cli.command;

import dev.postrider.service.config.ValueFormat;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code postrider completion}: commands and options by the tab key. */
@Command(
        name = "completion",
        description = {
            "Prints a script that lets the shell complete commands and options.",
            "",
            "Load it in the start file of the shell, as in the examples."
        },
        footer = {
            "  source <(postrider completion bash)      in ~/.bashrc",
            "  source <(postrider completion zsh)       in ~/.zshrc"
        })
final class CompletionCommand extends AnyCommand implements Runnable {

    /** The shells. */
    enum Shell {
        BASH,
        ZSH
    }

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
    private Shell shell;

    /** One script for both: it asks which shell reads it. */
    @Override
    public void run() {
        out().println("# Completion of postrider for " + ValueFormat.nameOf(shell));
        out().print(AutoComplete.bash(spec().root().name(), spec().root().commandLine()));
        out().flush();
    }
}
