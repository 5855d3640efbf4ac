package dev.postrider.cli.command;

import dev.postrider.cli.dead.LetterJson;
import dev.postrider.cli.dead.LetterText;
import dev.postrider.cli.dead.Selection;
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
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  postrider dead list --config postrider.yaml",
            "  postrider dead list --config postrider.yaml --topic orders --since 2026-03-01 --limit 500",
            "  postrider dead list --config postrider.yaml --output json | jq -r .id"
        })
final class DeadListCommand extends DeadLettersCommand {

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many at most. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Override
    ExitCode run(Selection selection) {
        List<DeadLetter> shown = new ArrayList<>();
        Iterator<DeadLetter> all = selection.iterator();
        while (shown.size() < limit && all.hasNext()) {
            shown.add(all.next());
        }
        if (answers().isJson()) {
            shown.forEach(letter -> answers().print(List::of, () -> LetterJson.fields(letter, false)));
        } else {
            LetterText.lines(shown).forEach(out()::println);
        }
        if (all.hasNext()) {
            err().println("There are more; raise --limit or narrow the filter.");
        }
        return ExitCode.OK;
    }
}
