package dev.postrider.cli.command;

import dev.postrider.cli.options.DatabaseOptions;
import dev.postrider.cli.options.Environment;
import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.cli.options.OutputOptions;
import dev.postrider.cli.output.Paint;
import dev.postrider.service.doctor.Doctor;
import dev.postrider.service.doctor.ExaminedOutbox;
import dev.postrider.spi.Finding.Severity;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postrider doctor}: what is slow or unsafe, and what to do. */
@Command(
        name = "doctor",
        description = {
            "Checks database, tables and destinations for what makes an outbox slow or unsafe, and says how to fix it.",
            "",
            "Changes nothing. In the database it looks at tables, privileges, lanes, waiting messages, isolation level, clocks, connections, long"
                    + " transactions and old snapshots, vacuum or purge and statistics of the hot table, durability; on MySQL and"
                    + " MariaDB also max_allowed_packet and clusters with several writing nodes, and what is special on TiDB."
                    + " With --config also the destinations: that each topic, exchange, queue or stream exists and is"
                    + " replicated.",
            "",
            "The exit code is 1 if there is a finding of at least --fail-on."
        },
        footer = {
            "  postrider doctor --config postrider.yaml",
            "  postrider doctor --config postrider.yaml --fail-on error --output json",
            "  postrider doctor --url jdbc:postgresql://localhost/app --user app --password-file pw"
        })
final class DoctorCommand extends AnyCommand implements Callable<Integer> {

    @Mixin
    private DatabaseOptions database;

    @Option(
            names = "--old-after",
            paramLabel = "TIME",
            defaultValue = "1m",
            description = "The age from which a transaction counts as long. Default: ${DEFAULT-VALUE}.")
    private Duration oldAfter;

    @Option(
            names = "--fail-on",
            paramLabel = "SEVERITY",
            defaultValue = "warning",
            description =
                    "note, warning or error: the severity from which the exit code is 1. Default: ${DEFAULT-VALUE}.")
    private Severity failOn;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        List<OutboxTarget> targets = database.targets();
        DoctorReport report = new DoctorReport(
                answers(output), Paint.of(Environment.of(spec()).variables()));
        Doctor doctor = new Doctor(oldAfter, report::tell);
        targets.forEach(target ->
                doctor.examine(new ExaminedOutbox(target.name(), target.database(), target.store(), target.config())));
        database.file()
                .ifPresent(file -> doctor.examineDestinations(
                        file, targets.stream().map(OutboxTarget::name).toList()));
        report.end();
        return (report.has(failOn) ? ExitCode.FAILED : ExitCode.OK).number();
    }
}
