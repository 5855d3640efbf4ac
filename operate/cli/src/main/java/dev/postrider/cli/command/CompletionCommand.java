package dev.postrider.cli.command;

import dev.postrider.service.config.ValueFormat;
import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code postrider completion}: commands and options by the tab key. */
@Command(
        name = "completion",
        description = {
            "Prints a script that lets the shell complete commands and options.",
            "",
            "Load it in the start file of the shell, as in the examples."
        },
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(postrider completion bash)      in ~/.bashrc",
            "  source <(postrider completion zsh)       in ~/.zshrc"
        })
final class CompletionCommand implements Runnable {

    /** The shells. */
    enum Shell {
        BASH,
        ZSH
    }

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
    private Shell shell;

    @Spec
    private CommandSpec spec;

    /** One script for both: it asks which shell reads it. */
    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println("# Completion of postrider for " + ValueFormat.nameOf(shell));
        out.print(AutoComplete.bash(spec.root().name(), spec.root().commandLine()));
        out.flush();
    }
}
