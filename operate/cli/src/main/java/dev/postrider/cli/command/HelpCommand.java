package dev.postrider.cli.command;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code postrider help}: the same as {@code --help} behind the command. */
@Command(
        name = "help",
        description = "Explains a command: 'postrider help dead retry'.",
        helpCommand = true,
        footerHeading = "%nExamples:%n",
        footer = "  postrider help dead retry")
final class HelpCommand implements Runnable {

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "The command; without one, all are listed.")
    private List<String> words = List.of();

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        CommandLine command = spec.root().commandLine();
        for (String word : words) {
            CommandLine next = command.getSubcommands().get(word);
            if (next == null) {
                throw new ParameterException(
                        spec.root().commandLine(), "There is no command '" + String.join(" ", words) + "'");
            }
            command = next;
        }
        command.usage(spec.commandLine().getOut());
    }
}
