package dev.postrider.cli.command;

import dev.postrider.cli.options.OperatorOption;
import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.internal.Readable;
import dev.postrider.service.operation.Fields;
import dev.postrider.service.operation.Operator;
import dev.postrider.spi.OutboxStore;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postrider unblock}. */
@Command(
        name = "unblock",
        description = {
            "Retries blocked messages at once, and counts their attempts from zero.",
            "",
            "Only an outbox whose relays run with on-exhausted block-key has any; status shows them."
        },
        footer = {
            "  postrider unblock --key order-17 --config postrider.yaml",
            "  postrider unblock --all --config postrider.yaml"
        })
final class UnblockCommand extends OutboxCommand {

    @Option(names = "--key", paramLabel = "KEY", description = "The key whose message is blocked.")
    private @Nullable String key;

    @Option(names = "--all", description = "All that are blocked.")
    private boolean all;

    @Mixin
    private OperatorOption operator;

    @Override
    ExitCode run(OutboxTarget target, OutboxStore store) {
        if ((key == null) != all) {
            throw usage("Give either --key or --all");
        }
        int unblocked = new Operator(store, operator.name()).unblock(Optional.ofNullable(key));
        answers().print(() -> List.of(told(unblocked)), () -> new Fields().with("unblocked", unblocked));
        return ExitCode.OK;
    }

    private static String told(int unblocked) {
        return unblocked == 0 ? "nothing to unblock" : "unblocked " + Readable.count(unblocked, "message");
    }
}
