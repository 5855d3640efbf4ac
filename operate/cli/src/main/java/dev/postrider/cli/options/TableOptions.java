package dev.postrider.cli.options;

import dev.postrider.service.database.StoreSettings;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.PayloadFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What the tables of an outbox look like. */
public final class TableOptions {

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--lanes",
            paramLabel = "N",
            description = "How many lanes, 1 to 1024, fixed once the tables exist. Default: 16.")
    private @Nullable Integer lanes;

    @Option(
            names = "--payload",
            paramLabel = "FORM",
            description = "Type of the payload column: binary or json. Default: binary.")
    private @Nullable PayloadFormat payload;

    @Option(
            names = "--audit",
            paramLabel = "FORM",
            description = "Keep delivered messages: none, plain or partitioned. Default: none.")
    private @Nullable AuditTrail audit;

    /** Adds what is given to these settings. */
    public StoreSettings applyTo(StoreSettings settings) {
        try {
            Optional.ofNullable(lanes).ifPresent(settings::lanes);
            Optional.ofNullable(payload).ifPresent(settings::payload);
            Optional.ofNullable(audit).ifPresent(settings::audit);
            return settings;
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), "--" + wrong.getMessage());
        }
    }
}
