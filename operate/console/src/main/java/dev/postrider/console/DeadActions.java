package dev.postrider.console;

import dev.postrider.message.MessageId;
import dev.postrider.service.operation.DeadAction;
import dev.postrider.service.operation.DeadJob;
import dev.postrider.service.operation.DeadJobs;
import dev.postrider.service.operation.Fields;
import dev.postrider.service.operation.OperatedOutbox;
import dev.postrider.service.operation.Selection;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.RowRef;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** Retries and discards dead letters: counts first, and begins only what was confirmed by its number. Thread-safe. */
final class DeadActions {

    private static final int FASTEST = 10_000;

    /** A page of messages. */
    private static final int MOST_PICKED = 200;

    /** What a call says beside which letters it means. */
    private static final Set<String> DIRECTIONS = Set.of("all", "dry_run", "expected", "per_second");

    private final DeadJobs jobs;

    DeadActions(DeadJobs jobs) {
        this.jobs = jobs;
    }

    ConsoleResponse answer(Call call, DeadAction action, OperatedOutbox outbox) {
        Selection selection = selection(call, outbox);
        List<RowRef> meant = selection.refs(DeadJobs.LARGEST);
        if (call.flag("dry_run")) {
            return ConsoleResponse.json(
                    200,
                    new Fields()
                            .with("matching", meant.size())
                            .with("at_most", DeadJobs.LARGEST)
                            .map());
        }
        return meant.size() == call.number("expected", -1, -1, DeadJobs.LARGEST)
                ? begin(call, action, selection, meant)
                : ConsoleResponse.json(
                        409,
                        new Fields()
                                .with("error", meant.size() + " match now; confirm that number as 'expected'")
                                .with("matching", meant.size())
                                .map());
    }

    private ConsoleResponse begin(Call call, DeadAction action, Selection selection, List<RowRef> meant) {
        int perSecond = call.number("per_second", 0, 0, FASTEST);
        DeadJob.Order order = new DeadJob.Order(
                call.part(0),
                action,
                which(call, meant.size()),
                call.grant().operator(),
                perSecond == 0 ? OptionalInt.empty() : OptionalInt.of(perSecond));
        return ConsoleResponse.json(
                202, jobs.start(order, selection, meant).fields().map());
    }

    /** What was asked for, as a person may read it. */
    private static String which(Call call, int count) {
        String conditions = call.values().entrySet().stream()
                .filter(condition -> !DIRECTIONS.contains(condition.getKey()))
                .map(condition -> condition.getKey().replace("error_contains", "error") + "=" + condition.getValue())
                .collect(Collectors.joining(", "));
        return call.value("ids").map(ids -> count + " selected").orElse(conditions.isEmpty() ? "all" : conditions);
    }

    private static Selection selection(Call call, OperatedOutbox outbox) {
        DeadLetters letters = outbox.store().deadLetters();
        Optional<List<String>> ids = call.list("ids");
        if (ids.isPresent()) {
            return picked(letters, ids.get());
        }
        DeadLetterFilter filter = filter(call);
        boolean isNarrowed =
                !filter.equals(DeadLetterFilter.all()) || call.value("error").isPresent();
        if (!isNarrowed && call.value("destination").isEmpty() && !call.flag("all")) {
            throw new IllegalArgumentException("Which ones? Give a filter, or 'all'");
        }
        Selection all = call.value("destination")
                .map(name -> Selection.of(letters, filter, WatchedOutboxes.routes(outbox), name))
                .orElseGet(() -> Selection.of(letters, filter));
        return call.value("error").map(all::withError).orElse(all);
    }

    private static Selection picked(DeadLetters letters, List<String> ids) {
        if (ids.isEmpty() || ids.size() > MOST_PICKED) {
            throw new IllegalArgumentException(
                    "'ids' has %d elements, expected 1 to %d".formatted(ids.size(), MOST_PICKED));
        }
        return Selection.picked(letters, ids.stream().map(MessageId::of).toList());
    }

    private static DeadLetterFilter filter(Call call) {
        DeadLetterFilter filter = DeadLetterFilter.all();
        filter = call.value("id").map(MessageId::of).map(filter::withId).orElse(filter);
        filter = call.value("topic").map(filter::withTopic).orElse(filter);
        filter = call.value("type").map(filter::withType).orElse(filter);
        filter = call.value("key").map(filter::withKey).orElse(filter);
        filter = call.value("reason")
                .map(DeadActions::reason)
                .map(filter::withReason)
                .orElse(filter);
        filter = call.value("error_contains").map(filter::withError).orElse(filter);
        return call.time("before").map(filter::withDiedBefore).orElse(filter);
    }

    private static DeadReason reason(String text) {
        return Arrays.stream(DeadReason.values())
                .filter(reason -> reason.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no reason '" + text + "'"));
    }
}
