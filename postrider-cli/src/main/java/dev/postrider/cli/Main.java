package dev.postrider.cli;

import dev.postrider.cli.command.CommandErrors;
import dev.postrider.cli.command.PostriderCommand;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine;

/** Where the program {@code postrider} starts. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(writer(System.out), writer(System.err), arguments));
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, Charset.defaultCharset());
    }

    /** Runs one command and returns its exit code, as numbered by {@link dev.postrider.cli.command.ExitCode}. */
    static int run(PrintWriter out, PrintWriter err, String... arguments) {
        CommandErrors errors = new CommandErrors();
        return new CommandLine(new PostriderCommand())
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors)
                .execute(arguments);
    }
}
