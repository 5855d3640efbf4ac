package dev.postrider.cli.command;

import dev.postrider.cli.options.OperatorOption;
import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.cli.output.Fields;
import dev.postrider.service.OutboxConfig;
import dev.postrider.spi.OutboxStore;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code postrider pause}. */
@Command(
        name = "pause",
        description = {
            "Stops deliveries to one destination, for all relays of the outbox, within a second or two.",
            "",
            "Its messages wait in the outbox; other destinations go on. The pause lasts until it is ended by resume."
        },
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  postrider pause kafka-main --config postrider.yaml",
            "  postrider pause kafka-main --url jdbc:h2:./app --operator ann"
        })
final class PauseCommand extends OutboxCommand {

    @Parameters(paramLabel = "DESTINATION", description = "Its name in the configuration file or in the code.")
    private String destination;

    @Mixin
    private OperatorOption operator;

    @Override
    ExitCode run(OutboxTarget target, OutboxStore store) {
        target.config().ifPresent(this::requireKnown);
        boolean before = store.pauses().paused().contains(destination);
        store.pauses().pause(destination, operator.name());
        answers()
                .print(
                        () -> List.of(destination + (before ? " was paused already" : " paused")),
                        () -> new Fields().with("destination", destination).with("paused", true));
        return ExitCode.OK;
    }

    private void requireKnown(OutboxConfig config) {
        if (!config.routes().destinations().contains(destination)) {
            throw usage("Outbox " + config.name() + " has no destination '" + destination + "', only "
                    + config.routes().destinations());
        }
    }
}
