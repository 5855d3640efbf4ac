package dev.postrider.cli.options;

import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The option {@code --config} of commands that need nothing of the file but their options. */
public final class ConfigOption {

    private ConfigOption() {}

    /** Adds it to all commands below this one that have none. */
    public static void addTo(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        // Completion and help are about the program itself.
        boolean hasOptions = spec.findOption("--output") != null;
        if (hasOptions && command.getSubcommands().isEmpty() && spec.findOption(OptionDefaults.CONFIG) == null) {
            spec.addOption(OptionSpec.builder(OptionDefaults.CONFIG)
                    .paramLabel("FILE")
                    .type(Path.class)
                    .description("A postrider.yaml, whose section 'options' can hold every other option.")
                    .build());
        }
        command.getSubcommands().values().forEach(ConfigOption::addTo);
    }
}
