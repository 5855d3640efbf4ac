package dev.postrider.cli.options;

import static java.util.Objects.requireNonNull;

import dev.postrider.service.config.ConfigFile;
import dev.postrider.service.config.Section;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Takes an option that is not given from the section {@code options} of the configuration file: {@code --limit} of {@code postrider
 * dead retry} from {@code options.dead retry.limit}, else from {@code options.all.limit}.
 *
 * <p>What does not name an option of a command is refused when the file is read.
 */
final class FileOptions implements IDefaultValueProvider {

    private static final String SECTION = "options";
    private static final String EVERY_COMMAND = "all";

    /** Where a database is and who asks stands with its outbox. */
    private static final Set<String> OF_OUTBOXES = Set.of("config", "url", "user", "password-file");

    private final Map<String, String> values = new HashMap<>();

    /** Reads the file; the program is asked which commands and options there are. */
    FileOptions(Path file, Environment environment, CommandLine program) {
        Section top = ConfigFile.read(file, environment.variables());
        Map<String, Map<String, OptionSpec>> known = new LinkedHashMap<>();
        known.put(EVERY_COMMAND, new LinkedHashMap<>());
        collect(program, known);
        top.section(SECTION).ifPresent(section -> section.allow(known.keySet()));
        top.sections(SECTION).forEach((command, section) -> {
            Map<String, OptionSpec> options = requireNonNull(known.get(command));
            refuseWhatStandsElsewhere(section, options);
            section.allow(options.keySet());
            section.texts().forEach((option, value) -> values.put(command + " " + option, value));
        });
    }

    /** Options by name, of each command and of all together. */
    private static void collect(CommandLine command, Map<String, Map<String, OptionSpec>> known) {
        Map<String, OptionSpec> options = command.getCommandSpec().options().stream()
                .filter(option -> !option.usageHelp() && !option.versionHelp())
                .collect(Collectors.toMap(FileOptions::nameOf, option -> option));
        if (command.getSubcommands().isEmpty() && options.containsKey("output")) {
            known.put(pathOf(command), options);
            requireNonNull(known.get(EVERY_COMMAND)).putAll(options);
        }
        command.getSubcommands().values().forEach(below -> collect(below, known));
    }

    private static void refuseWhatStandsElsewhere(Section section, Map<String, OptionSpec> options) {
        for (String name : OF_OUTBOXES) {
            boolean isElsewhere = name.equals("config") || options.containsKey("url");
            if (section.has(name) && isElsewhere) {
                throw section.refuse(name, "is not allowed here; set it in the section of the outbox");
            }
        }
    }

    private static String nameOf(OptionSpec option) {
        return option.longestName().replaceFirst("^--", "");
    }

    private static String pathOf(CommandLine command) {
        return command.getCommandSpec().qualifiedName().replaceFirst("^\\S+ ?", "");
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option)) {
            return null;
        }
        String ofCommand = values.get(pathOf(argument.command().commandLine()) + " " + nameOf(option));
        return ofCommand != null ? ofCommand : values.get(EVERY_COMMAND + " " + nameOf(option));
    }
}
