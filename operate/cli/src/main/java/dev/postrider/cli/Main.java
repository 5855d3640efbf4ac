package dev.postrider.cli;

import dev.postrider.cli.command.CommandErrors;
import dev.postrider.cli.command.PostriderCommand;
import dev.postrider.cli.options.ConfigOption;
import dev.postrider.cli.options.Environment;
import dev.postrider.cli.options.OptionDefaults;
import dev.postrider.cli.options.Values;
import dev.postrider.cli.output.OutputLostException;
import dev.postrider.cli.output.StandardOutput;
import dev.postrider.internal.SafeText;
import dev.postrider.service.config.ConfigException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Where the program {@code postrider} starts. */
public final class Main {

    /** Read by the logging configuration: what we say, and what the libraries say that talk to brokers. */
    private static final String LOG_LEVEL = "POSTRIDER_LOG";

    private static final String LIBRARY_LOG_LEVEL = "POSTRIDER_LIBRARY_LOG";

    private static final String LOG_FORMAT = "POSTRIDER_LOG_FORMAT";
    private static final String TEXT = "text";
    private static final List<String> LOG_FORMATS = List.of(TEXT, "json", "ecs");
    private static final List<String> LOG_LEVELS = List.of("trace", "debug", "info", "warn", "error", "off");

    private static final CommandErrors ERRORS = new CommandErrors();

    static {
        DriverLog.silence();
        // Numbers in texts and statements have the same digits everywhere.
        Locale.setDefault(Locale.ROOT);
    }

    private Main() {}

    public static void main(String[] arguments) {
        chooseLogLevel(arguments);
        System.exit(run(
                new Environment(System.getenv()),
                StandardOutput.of(new FileOutputStream(FileDescriptor.out)),
                chooseLogFormat().equals(TEXT) || !runsForLong(arguments)
                        ? writer(System.err)
                        : new PrintWriter(new LoggedLines(), true),
                arguments));
    }

    /** A word that is none is refused later: until then the logging finds a format that there is. */
    private static String chooseLogFormat() {
        String format = System.getenv().getOrDefault(LOG_FORMAT, TEXT).toLowerCase(Locale.ROOT);
        String known = LOG_FORMATS.contains(format) ? format : TEXT;
        System.setProperty(LOG_FORMAT, known);
        return known;
    }

    private static boolean runsForLong(String[] arguments) {
        List<String> words = List.of(arguments);
        return words.indexOf("relay") == 0 && !words.contains("--check") && !words.contains("--once");
    }

    /** A relay that runs for long tells what changes; other commands say themselves what there is to say. */
    private static void chooseLogLevel(String[] arguments) {
        boolean runsForLong = runsForLong(arguments);
        if (runsForLong && System.getenv(LOG_LEVEL) == null) {
            System.setProperty(LOG_LEVEL, "INFO");
        }
        if (runsForLong || System.getenv(LOG_LEVEL) != null) {
            System.setProperty(LIBRARY_LOG_LEVEL, "WARN");
        }
    }

    /** In UTF-8 whatever the locale: what other programs read must not lose a letter. */
    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    /** The logging itself would take any other level for DEBUG. */
    private static Optional<String> wrongLog(Environment environment) {
        return wrong(environment, LOG_LEVEL, LOG_LEVELS).or(() -> wrong(environment, LOG_FORMAT, LOG_FORMATS));
    }

    private static Optional<String> wrong(Environment environment, String variable, List<String> words) {
        return Optional.ofNullable(environment.variables().get(variable))
                .filter(word -> !words.contains(word.toLowerCase(Locale.ROOT)))
                .map(word -> "%s is '%s', expected one of %s".formatted(variable, word, String.join(", ", words)));
    }

    /** Runs one command and returns its exit code, as numbered by {@link dev.postrider.cli.command.ExitCode}. */
    static int run(Environment environment, PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine program = program(environment).setOut(out).setErr(err);
        Optional<String> wrong = wrongLog(environment);
        if (wrong.isPresent()) {
            return ERRORS.tell(new ConfigException(wrong.get()), program);
        }
        warnOfSecrets(err, arguments);
        try {
            program.setDefaultValueProvider(OptionDefaults.of(program, environment, List.of(arguments)));
        } catch (ConfigException refused) {
            return ERRORS.tell(refused, OptionDefaults.commandOf(program, List.of(arguments)));
        }
        int code = program.execute(arguments);
        return code == 0 && out.checkError() ? ERRORS.tell(new OutputLostException(), program) : code;
    }

    private static void warnOfSecrets(PrintWriter err, String... arguments) {
        Stream.of(arguments).forEach(SafeText::rememberAddress);
        if (Stream.of(arguments).anyMatch(each -> !SafeText.address(each).equals(each))) {
            err.println(
                    "postrider: warning: a password stands on the command line, where every user of this machine can read it."
                            + " Use --password-file, or set the option in the environment (POSTRIDER_URL, POSTRIDER_DESTINATION), or in"
                            + " section 'options' of a --config file");
        }
    }

    /** All commands, without what environment and file say of their options. */
    static CommandLine program(Environment environment) {
        CommandLine program = new CommandLine(new PostriderCommand(environment));
        ConfigOption.addTo(program);
        return program.setUsageHelpWidth(120)
                // A key may begin with an at sign, which names no file.
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Duration.class, Values::duration)
                .registerConverter(Instant.class, Values::moment)
                .setParameterExceptionHandler(ERRORS)
                .setExecutionExceptionHandler(ERRORS);
    }
}
