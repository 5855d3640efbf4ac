package dev.postrider.cli.command;

import dev.postrider.cli.options.Environment;
import dev.postrider.cli.options.OutputOptions;
import dev.postrider.cli.output.Paint;
import dev.postrider.console.Console;
import dev.postrider.console.ConsoleHttp;
import dev.postrider.relay.DrainReport;
import dev.postrider.service.HttpPart;
import dev.postrider.service.RelayService;
import dev.postrider.service.ServiceCheck;
import dev.postrider.service.ServiceCheck.Tried;
import dev.postrider.service.ServiceConfig;
import dev.postrider.service.console.ConsoleSettings;
import dev.postrider.service.operation.Fields;
import dev.postrider.service.operation.OperatedOutboxes;
import dev.postrider.service.operation.OutboxAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postrider relay}: the standalone relay. */
@Command(
        name = "relay",
        description = {
            "Delivers the messages of all outboxes in a configuration file until you stop it.",
            "",
            "SIGTERM stops it gracefully: it finishes what is in flight and releases its lanes. Over HTTP, by default"
                    + " at 127.0.0.1:8081, /health says that the process is alive, /ready whether every outbox is being"
                    + " delivered; /metrics is for Prometheus; /console is the console, if the file has a section"
                    + " 'console'. A database that cannot be reached is tried again for ever."
        },
        footer = {
            "  postrider relay --config postrider.yaml",
            "  postrider relay --config postrider.yaml --check     what is wrong, in one screen",
            "  postrider relay --config postrider.yaml --once      deliver what there is and end, for cron"
        })
final class RelayCommand extends AnyCommand implements Callable<Integer> {

    @Option(names = "--config", required = true, paramLabel = "FILE", description = "The postrider.yaml.")
    private Path config;

    @Option(
            names = "--check",
            description =
                    "Tries configuration, databases, tables, privileges, destinations and topics; delivers nothing.")
    private boolean check;

    @Option(
            names = "--once",
            description = "Delivers what is deliverable now and ends. Exit code 1 if something was left.")
    private boolean once;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() throws InterruptedException {
        if (check && once) {
            throw usage("Give --check or --once, not both");
        }
        ServiceConfig loaded = ServiceConfig.load(config, Environment.of(spec()).variables());
        if (check) {
            return tell(ServiceCheck.run(loaded)).number();
        }
        return (once ? drain(loaded) : serve(loaded)).number();
    }

    private ExitCode tell(List<Tried> all) {
        all.forEach(tried -> answers(output)
                .print(
                        () -> lines(tried),
                        () -> new Fields()
                                .with("subject", tried.subject())
                                .with("ok", tried.isGood())
                                .with("problems", tried.problems())));
        return all.stream().allMatch(Tried::isGood) ? ExitCode.OK : ExitCode.FAILED;
    }

    private List<String> lines(Tried tried) {
        Paint paint = Paint.of(Environment.of(spec()).variables());
        List<String> lines = new ArrayList<>();
        lines.add((tried.isGood() ? paint.good("ok") + "      " : paint.bad("FAILED") + "  ") + tried.subject());
        tried.problems().forEach(problem -> lines.add("          " + problem));
        return lines;
    }

    private ExitCode drain(ServiceConfig loaded) {
        try (RelayService service = RelayService.of(loaded)) {
            Map<String, DrainReport> reports = service.drainOnce();
            reports.forEach((outbox, report) -> answers(output)
                    .print(
                            () -> List.of("outbox %s: delivered %d, failed attempts %d, dead %d%s"
                                    .formatted(
                                            outbox,
                                            report.delivered(),
                                            report.failed(),
                                            report.dead(),
                                            report.isComplete() ? "" : "; something was left")),
                            () -> new Fields()
                                    .with("outbox", outbox)
                                    .with("delivered", report.delivered())
                                    .with("failed", report.failed())
                                    .with("dead", report.dead())
                                    .with("is_complete", report.isComplete())));
            return reports.values().stream().allMatch(DrainReport::isComplete) ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    private ExitCode serve(ServiceConfig loaded) throws InterruptedException {
        RelayService service = RelayService.of(loaded, loaded.console().map(settings -> console(loaded, settings)));
        Thread hook = new Thread(service::close, "postrider-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        service.start();
        service.port().ifPresent(port -> err().println("answering on port " + port));
        loaded.console()
                .ifPresent(settings -> err().println("console at path %s/ of that port".formatted(settings.path())));
        service.awaitEnd();
        return ExitCode.OK;
    }

    private static HttpPart console(ServiceConfig loaded, ConsoleSettings settings) {
        OperatedOutboxes outboxes = new OperatedOutboxes(
                loaded.outboxes().stream().map(OutboxAddress::of).toList());
        return new ConsoleHttp(settings, Console.of(settings, outboxes));
    }
}
