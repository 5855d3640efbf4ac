package dev.postrider.cli.command;

import dev.postrider.cli.demo.Demo;
import dev.postrider.cli.demo.DemoResult;
import dev.postrider.cli.options.DemoOptions;
import dev.postrider.cli.output.Progress;
import dev.postrider.cli.output.Terminal;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code postrider demo}: the outbox at work with faults, on embedded parts. */
@Command(
        name = "demo",
        description = {
            "Shows the outbox at work, faults included, and counts what arrived. Needs no server.",
            "",
            "A small order service writes orders and their events into an embedded database. Some transactions roll back,"
                    + " some deliveries fail once, one event can never be delivered, and one relay is killed in the middle"
                    + " of a batch. The others take over its work, and a checker compares what was committed with what"
                    + " arrived.",
            "",
            "The last line of the output is for scripts. The exit code is 0 only if nothing was lost and no key was out of"
                    + " order."
        },
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  postrider demo",
            "  postrider demo --orders 1000 --relays 2",
            "  postrider demo --headless | tail -n 1"
        })
final class DemoCommand implements Callable<Integer> {

    @Mixin
    private DemoOptions options;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        DemoResult result = new Demo(options.settings(), progress()).run();
        result.table().forEach(out::println);
        out.println(result.lastLine());
        return (result.isGood() ? ExitCode.OK : ExitCode.FAILED).number();
    }

    private Progress progress() {
        PrintWriter err = spec.commandLine().getErr();
        return options.isHeadless() || !Terminal.isPresent() ? Progress.plain(err) : Progress.live(err);
    }
}
