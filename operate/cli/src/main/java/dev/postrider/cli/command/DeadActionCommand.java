package dev.postrider.cli.command;

import static java.util.Objects.requireNonNull;

import dev.postrider.cli.options.OperatorOption;
import dev.postrider.cli.output.CountProgress;
import dev.postrider.cli.output.Progress;
import dev.postrider.cli.output.Terminal;
import dev.postrider.internal.Readable;
import dev.postrider.service.operation.BatchAction;
import dev.postrider.service.operation.DeadAction;
import dev.postrider.service.operation.Fields;
import dev.postrider.service.operation.Selection;
import dev.postrider.spi.RowRef;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Does something to dead letters: counts, asks, does it, says how many. */
abstract class DeadActionCommand extends DeadLettersCommand {

    private static final long COUNTED = 1_000_000;

    /** What is remembered of each must fit into a small heap. */
    private static final int AT_ONCE = 250_000;

    @Mixin
    private OperatorOption operator;

    @Option(names = "--all", description = "All dead letters; needed when no filter is given.")
    private boolean all;

    @Option(names = "--limit", paramLabel = "N", description = "How many at most. Default: all that match.")
    private @Nullable Long limit;

    @Option(names = "--dry-run", description = "Only says how many there are.")
    private boolean dryRun;

    @Option(
            names = {"-y", "--yes"},
            description = "Does not ask; needed when nobody is there to answer.")
    private boolean yes;

    @Override
    final ExitCode run(Selection selection) {
        if (isUnfiltered() && !all) {
            throw usage("Which ones? Give a filter, or --all");
        }
        long most = limit == null ? COUNTED : Math.min(COUNTED, atLeastOne(limit));
        if (dryRun) {
            long expected = selection.count(most);
            print("matching", expected, count(expected) + (expected == 1 ? " matches" : " match"));
            return ExitCode.OK;
        }
        // What is confirmed, and nothing that dies meanwhile: that could even be one of these again.
        List<RowRef> meant = selection.refs((int) Math.min(most, AT_ONCE));
        if (meant.isEmpty()) {
            print(done(), 0, "nothing to " + verb().toLowerCase(Locale.ROOT));
            return ExitCode.OK;
        }
        if (!yes && !isConfirmed(meant.size())) {
            err().println("nothing was done");
            return ExitCode.FAILED;
        }
        CountProgress shown = new CountProgress(Progress.of(err(), false), meant.size());
        long done = new BatchAction(action().step(operator.name()), shown::show).run(selection, meant);
        print(done(), done, told(count(done)));
        if (meant.size() == AT_ONCE && most > AT_ONCE) {
            err().println("these were the first " + count(AT_ONCE) + "; repeat the command for the rest");
        }
        return ExitCode.OK;
    }

    /** What to do. */
    abstract DeadAction action();

    /** As in "Discard 5 dead letters?". */
    abstract String verb();

    /** The name of the count in JSON. */
    abstract String done();

    /** As in "discarded 5 dead letters". */
    abstract String told(String letters);

    private boolean isConfirmed(long expected) {
        if (!Terminal.isPresent()) {
            throw usage("There is no terminal to ask; repeat with --yes, or look first with --dry-run");
        }
        String answer = requireNonNull(System.console()).readLine("%s %s? [y/N] ", verb(), count(expected));
        return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
    }

    private static String count(long letters) {
        return Readable.count(letters, "dead letter");
    }

    private void print(String field, long count, String line) {
        answers().print(() -> List.of(line), () -> new Fields().with(field, count));
    }
}
