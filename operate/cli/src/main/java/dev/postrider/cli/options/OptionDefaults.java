package dev.postrider.cli.options;

import dev.postrider.service.config.ConfigException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What an option is that is not given: as the environment says, else as the configuration file says. */
public final class OptionDefaults implements IDefaultValueProvider {

    static final String CONFIG = "--config";
    private static final Set<String> QUESTIONS = Set.of("-h", "--help", "-V", "--version");

    private final EnvironmentDefaults environment;
    private final Optional<FileOptions> file;

    private OptionDefaults(EnvironmentDefaults environment, Optional<FileOptions> file) {
        this.environment = environment;
        this.file = file;
    }

    /**
     * For this call of the program. The file is found before the arguments are parsed: what it says can be what is required.
     *
     * @throws ConfigException if the file cannot be read, or names an option that does not exist
     */
    public static OptionDefaults of(CommandLine program, Environment environment, List<String> arguments) {
        EnvironmentDefaults fromEnvironment = new EnvironmentDefaults(environment);
        Optional<Path> file = arguments.stream().anyMatch(QUESTIONS::contains)
                ? Optional.empty()
                : given(arguments).or(() -> named(commandOf(program, arguments), fromEnvironment));
        return new OptionDefaults(fromEnvironment, file.map(path -> new FileOptions(path, environment, program)));
    }

    private static Optional<Path> given(List<String> arguments) {
        int at = arguments.indexOf(CONFIG);
        if (at >= 0 && at + 1 < arguments.size()) {
            return Optional.of(Path.of(arguments.get(at + 1)));
        }
        return arguments.stream()
                .filter(argument -> argument.startsWith(CONFIG + "="))
                .map(argument -> Path.of(argument.substring(CONFIG.length() + 1)))
                .findFirst();
    }

    private static Optional<Path> named(CommandLine command, EnvironmentDefaults environment) {
        return Optional.ofNullable(command.getCommandSpec().findOption(CONFIG))
                .map(environment::defaultValue)
                .map(Path::of);
    }

    /** The command that these arguments begin with. */
    public static CommandLine commandOf(CommandLine program, List<String> arguments) {
        CommandLine command = program;
        for (String word : arguments) {
            Map<String, CommandLine> below = command.getSubcommands();
            if (!below.containsKey(word)) {
                return command;
            }
            command = below.get(word);
        }
        return command;
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        String value = environment.defaultValue(argument);
        return value != null
                ? value
                : file.map(found -> found.defaultValue(argument)).orElse(null);
    }

    /**
     * Takes an option that is not given from the environment: {@code --password-file} of {@code postrider dead retry} from
     * {@code POSTRIDER_DEAD_RETRY_PASSWORD_FILE}, else from {@code POSTRIDER_PASSWORD_FILE}.
     */
    private static final class EnvironmentDefaults implements IDefaultValueProvider {

        private final Environment environment;

        EnvironmentDefaults(Environment environment) {
            this.environment = environment;
        }

        @Override
        public @Nullable String defaultValue(ArgSpec argument) {
            if (!(argument instanceof OptionSpec option) || option.usageHelp() || option.versionHelp()) {
                return null;
            }
            String name = option.longestName().replaceFirst("^--", "");
            String ofCommand = variable(argument.command().qualifiedName(" ") + " " + name);
            String value = given(ofCommand);
            return value != null ? value : given(variable("postrider " + name));
        }

        /** An empty variable counts as not set: that is how files for containers leave one out. */
        private @Nullable String given(String variable) {
            String value = environment.variables().get(variable);
            return value == null || value.isEmpty() ? null : value;
        }

        private static String variable(String words) {
            return words.toUpperCase(Locale.ROOT).replace(' ', '_').replace('-', '_');
        }
    }
}
