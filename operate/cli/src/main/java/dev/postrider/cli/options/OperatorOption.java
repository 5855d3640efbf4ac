package dev.postrider.cli.options;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who does it, for the record in the outbox's operation table. */
public final class OperatorOption {

    @Option(
            names = "--operator",
            paramLabel = "NAME",
            description = "Who does this, for the record in the outbox. Default: the user of this machine.")
    private @Nullable String operator;

    public String name() {
        return Optional.ofNullable(operator).orElseGet(() -> System.getProperty("user.name", "unknown"));
    }
}
