package dev.postrider.cli.options;

import dev.postrider.service.config.ConfigException;
import dev.postrider.service.database.ExistingSettings;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Tables that already exist, by a preset alone: beside {@code --url}, without a file. */
public final class ExistingOptions {

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--preset",
            paramLabel = "NAME",
            description =
                    "With --url: the outbox is an existing table of this preset: records, enum-status, pending-wait …")
    private @Nullable String preset;

    @Option(
            names = "--table",
            paramLabel = "NAME",
            description = "With --preset: the name of its table, if it is not the preset's.")
    private @Nullable String table;

    /** The same outbox, over the tables of the preset if one is given. */
    public OutboxTarget applyTo(OutboxTarget target) {
        if (preset == null) {
            refuse(table != null, "--table goes with --preset");
            return target;
        }
        refuse(target.config().isPresent(), "--preset goes with --url; a file says it in its section 'existing'");
        try {
            target.store().existing(ExistingSettings.ofPreset(preset, Optional.ofNullable(table)));
            return target;
        } catch (ConfigException wrong) {
            throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()));
        }
    }

    private void refuse(boolean isWrong, String problem) {
        if (isWrong) {
            throw new ParameterException(spec.commandLine(), problem);
        }
    }
}
