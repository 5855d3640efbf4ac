package dev.postrider.cli.command;

import dev.postrider.cli.demo.Demo;
import dev.postrider.cli.demo.DemoResult;
import dev.postrider.cli.demo.LiveDemo;
import dev.postrider.cli.options.DemoOptions;
import dev.postrider.cli.options.OutputOptions;
import dev.postrider.cli.output.Answers;
import dev.postrider.cli.output.Progress;
import dev.postrider.service.operation.Fields;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code postrider demo}: the outbox at work with faults, on embedded parts. */
@Command(
        name = "demo",
        description = {
            "Runs a small order service under faults and checks that every committed message arrives. Needs no server.",
            "",
            "A small order service writes orders and their events into an embedded database. Some transactions roll"
                    + " back, some deliveries fail once, one event can never be delivered, and one relay is killed in the"
                    + " middle of a batch. The others take over its work, and a checker compares what was committed with"
                    + " what arrived.",
            "",
            "The last line of the output is for scripts. The exit code is 0 only if nothing was lost and no key was"
                    + " out of order."
        },
        footer = {
            "  postrider demo",
            "  postrider demo --console",
            "  postrider demo --orders 1000 --relays 2",
            "  postrider demo --headless | tail -n 1"
        })
final class DemoCommand extends AnyCommand implements Callable<Integer> {

    @Mixin
    private DemoOptions options;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() throws InterruptedException, SQLException {
        if (options.isConsole()) {
            return watch();
        }
        DemoResult result = new Demo(options.settings(), progress()).run();
        answers(output).print(() -> lines(result), () -> fields(result));
        return (result.isGood() ? ExitCode.OK : ExitCode.FAILED).number();
    }

    /** Until somebody stops the process. */
    private int watch() throws InterruptedException {
        Answers answers = answers(output);
        LiveDemo demo = LiveDemo.start(options.settings().relays(), this::tell);
        Runtime.getRuntime().addShutdownHook(new Thread(demo::close, "postrider-stop"));
        answers.print(
                () -> List.of("watch at " + demo.address(), "end it with Ctrl-C"),
                () -> new Fields().with("console", demo.address()));
        out().flush();
        new CountDownLatch(1).await();
        return ExitCode.OK.number();
    }

    private void tell(String told) {
        if (!output.isJson()) {
            out().println(told);
            out().flush();
        }
    }

    private static List<String> lines(DemoResult result) {
        List<String> lines = new ArrayList<>(result.table());
        lines.add(result.lastLine());
        return lines;
    }

    private static Fields fields(DemoResult result) {
        Fields fields = new Fields();
        result.numbers().forEach(fields::with);
        return fields;
    }

    private Progress progress() {
        return Progress.of(err(), options.isHeadless());
    }
}
