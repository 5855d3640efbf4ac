package dev.postrider.cli.options;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Takes an option that is not given from the environment: {@code --password-file} of {@code postrider dead retry} from
 * {@code POSTRIDER_DEAD_RETRY_PASSWORD_FILE}, else from {@code POSTRIDER_PASSWORD_FILE}.
 */
final class EnvironmentDefaults implements IDefaultValueProvider {

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

    /** An empty variable is none: that is how files for containers leave one out. */
    private @Nullable String given(String variable) {
        String value = environment.variables().get(variable);
        return value == null || value.isEmpty() ? null : value;
    }

    private static String variable(String words) {
        return words.toUpperCase(Locale.ROOT).replace(' ', '_').replace('-', '_');
    }
}
