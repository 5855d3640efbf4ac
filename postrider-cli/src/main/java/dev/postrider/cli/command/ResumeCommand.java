package dev.postrider.cli.command;

import dev.postrider.cli.options.OperatorOption;
import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.cli.output.Fields;
import dev.postrider.spi.OutboxStore;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code postrider resume}. */
@Command(
        name = "resume",
        description = {"Ends the pause of a destination, for all relays of the outbox, within a second or two."},
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  postrider resume kafka-main --config postrider.yaml",
            "  postrider resume kafka-main --url jdbc:h2:./app --operator ann"
        })
final class ResumeCommand extends OutboxCommand {

    @Parameters(paramLabel = "DESTINATION", description = "Its name in the configuration file or in the code.")
    private String destination;

    @Mixin
    private OperatorOption operator;

    @Override
    ExitCode run(OutboxTarget target, OutboxStore store) {
        boolean before = store.pauses().paused().contains(destination);
        store.pauses().resume(destination, operator.name());
        answers()
                .print(
                        () -> List.of(destination + (before ? " resumed" : " was not paused")),
                        () -> new Fields().with("destination", destination).with("paused", false));
        return ExitCode.OK;
    }
}
