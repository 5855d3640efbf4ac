package dev.postrider.cli.command;

import dev.postrider.cli.output.OutputLostException;
import dev.postrider.cli.output.StandardOutput;
import dev.postrider.internal.Printable;
import dev.postrider.internal.SafeText;
import dev.postrider.message.PostriderException;
import dev.postrider.service.FileWords;
import dev.postrider.service.config.ConfigException;
import dev.postrider.service.config.NearestName;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says on standard error what went wrong. A stack trace is printed only for what is nobody's mistake but ours. */
public final class CommandErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {

    /** The command was called wrongly. */
    @Override
    public int handleParseException(ParameterException mistake, String[] arguments) {
        CommandLine command = mistake.getCommandLine();
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        err.println(name + ": " + printable(String.valueOf(mistake.getMessage())));
        suggest(mistake).ifPresent(meant -> err.println("Did you mean '" + meant + "'?"));
        err.println("Try '" + name + " --help'.");
        return ExitCode.USAGE.number();
    }

    /** The command or option that the first unknown word may stand for. */
    private static Optional<String> suggest(ParameterException mistake) {
        if (!(mistake instanceof UnmatchedArgumentException unknown)) {
            return Optional.empty();
        }
        CommandSpec command = mistake.getCommandLine().getCommandSpec();
        String word = unknown.getUnmatched().get(0);
        return NearestName.of(
                word,
                word.startsWith("-")
                        ? command.optionsMap().keySet()
                        : command.subcommands().keySet());
    }

    /** The command failed while it ran. */
    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        return tell(failure, command);
    }

    /** Says it in the name of this command, and returns the exit code. */
    public int tell(Exception failure, CommandLine command) {
        if (failure instanceof OutputLostException
                && command.getOut() instanceof StandardOutput out
                && out.hasLostItsReader()) {
            return ExitCode.FAILED.number();
        }
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        if (failure instanceof PostriderException told) {
            err.println(name + ": " + FileWords.of(printable(told.getMessage())));
        } else {
            err.println(name + ": failed unexpectedly; please report this");
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            err.print(SafeText.of(trace.toString()));
        }
        return (failure instanceof ConfigException ? ExitCode.USAGE : ExitCode.FAILED).number();
    }

    /** Without secrets, and without characters that give orders to a terminal: topics, keys and names may come from anybody. */
    private static String printable(String message) {
        return SafeText.of(message).lines().map(Printable::of).collect(Collectors.joining(System.lineSeparator()));
    }
}
