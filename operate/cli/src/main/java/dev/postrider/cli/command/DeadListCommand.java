package dev.postrider.cli.command;

import dev.postrider.cli.dead.LetterText;
import dev.postrider.service.operation.Fields;
import dev.postrider.service.operation.LetterJson;
import dev.postrider.service.operation.Selection;
import dev.postrider.spi.DeadLetters.DeadLetter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postrider dead list}. */
@Command(
        name = "list",
        description = "Lists dead letters by lane and number, without payloads.",
        footer = {
            "  postrider dead list --config postrider.yaml",
            "  postrider dead list --config postrider.yaml --topic orders --since 2026-03-01 --limit 500",
            "  postrider dead list --config postrider.yaml --output json | jq -r .id"
        })
final class DeadListCommand extends DeadLettersCommand {

    /** How many letters are aligned and printed at a time: however long the list is, little of it is in memory. */
    private static final long BLOCK = 100;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many at most. Default: ${DEFAULT-VALUE}.")
    private long limit;

    @Override
    ExitCode run(Selection selection) {
        Iterator<DeadLetter> all = selection.iterator();
        long left = atLeastOne(limit);
        boolean isFirst = true;
        while (left > 0 && (isFirst || all.hasNext())) {
            List<DeadLetter> block = next(all, Math.min(left, BLOCK));
            show(block, isFirst);
            left -= block.size();
            isFirst = false;
        }
        if (all.hasNext()) {
            err().println("There are more; raise --limit or narrow the filter.");
        }
        return ExitCode.OK;
    }

    private static List<DeadLetter> next(Iterator<DeadLetter> all, long most) {
        List<DeadLetter> block = new ArrayList<>();
        while (block.size() < most && all.hasNext()) {
            block.add(all.next());
        }
        return block;
    }

    private void show(List<DeadLetter> block, boolean isFirst) {
        if (answers().isJson()) {
            block.forEach(letter -> answers().print(List::of, () -> LetterJson.fields(letter, false)));
        } else {
            List<String> lines = LetterText.lines(block);
            answers().print(() -> isFirst ? lines : lines.subList(1, lines.size()), Fields::new);
        }
    }
}
