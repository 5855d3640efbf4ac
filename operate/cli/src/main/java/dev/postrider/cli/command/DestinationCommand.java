package dev.postrider.cli.command;

import dev.postrider.cli.options.OperatorOption;
import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.service.operation.Fields;
import dev.postrider.service.operation.Operator;
import dev.postrider.spi.OutboxStore;
import java.util.List;
import java.util.Set;
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
        Set<String> known =
                target.config().map(config -> config.routes().destinations()).orElse(Set.of());
        boolean wasPaused = wasPaused(new Operator(store, operator.name()), known);
        answers()
                .print(
                        () -> List.of(destination + " " + changed(wasPaused)),
                        () -> new Fields().with("destination", destination).with("paused", isPause()));
        return ExitCode.OK;
    }

    private boolean wasPaused(Operator changing, Set<String> known) {
        try {
            return changing.setPaused(destination, isPause(), known, false);
        } catch (IllegalArgumentException unknown) {
            throw usage(String.valueOf(unknown.getMessage()));
        }
    }

    /** Whether it pauses, or resumes. */
    abstract boolean isPause();

    /** As in "kafka-main was paused already". */
    abstract String changed(boolean wasPaused);
}
