package dev.postrider.cli.command;

import dev.postrider.cli.options.OutputOptions;
import dev.postrider.cli.output.Answers;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What all commands have: {@code --help}, {@code --version}, examples below their options, and somebody to answer. */
@Command(
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n")
abstract class AnyCommand {

    @Spec
    private CommandSpec spec;

    final CommandSpec spec() {
        return spec;
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    final Answers answers(OutputOptions form) {
        return new Answers(out(), form.isJson());
    }

    final ParameterException usage(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }
}
