package dev.postrider.cli.command;

import dev.postrider.cli.options.OperatorOption;
import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.service.OutboxConfig;
import dev.postrider.service.operation.Fields;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Pauses;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Pauses or resumes a destination, and says whether that changed anything. */
abstract class DestinationCommand extends OutboxCommand {

    @Parameters(paramLabel = "DESTINATION", description = "Its name in the configuration file or in the code.")
    private String destination;

    @Mixin
    private OperatorOption operator;

    @Override
    final ExitCode run(OutboxTarget target, OutboxStore store) {
        requireShared(store, OutboxStore.Part.PAUSES);
        boolean wasPaused = store.pauses().paused().contains(destination);
        if (!wasPaused) {
            // One that is paused can be resumed even if the file has lost it.
            target.config().ifPresent(this::requireKnown);
        }
        boolean isPaused = change(store.pauses(), destination, operator.name());
        answers()
                .print(
                        () -> List.of(destination + " " + changed(wasPaused)),
                        () -> new Fields().with("destination", destination).with("paused", isPaused));
        return ExitCode.OK;
    }

    private void requireKnown(OutboxConfig config) {
        if (!config.routes().destinations().contains(destination)) {
            throw usage("Outbox " + config.name() + " has no destination '" + destination + "'; it has "
                    + String.join(", ", config.routes().destinations()));
        }
    }

    /** Returns whether it is paused now. */
    abstract boolean change(Pauses pauses, String name, String operatorName);

    /** As in "kafka-main was paused already". */
    abstract String changed(boolean wasPaused);
}
