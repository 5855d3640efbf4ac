package dev.postrider.console;

import dev.postrider.service.database.OperatorTables;
import dev.postrider.service.operation.DeadAction;
import dev.postrider.service.operation.DeadJob;
import dev.postrider.service.operation.DeadJobs;
import dev.postrider.service.operation.Fields;
import dev.postrider.service.operation.OperatedOutbox;
import dev.postrider.service.operation.Operator;
import dev.postrider.spi.OutboxStore.Part;
import java.util.List;
import java.util.Map;

/** Dead letters in groups, and jobs over them. Thread-safe. */
final class DeadRoutes {

    private final WatchedOutboxes outboxes;
    private final DeadJobs jobs;
    private final DeadActions actions;

    DeadRoutes(WatchedOutboxes outboxes, DeadJobs jobs) {
        this.outboxes = outboxes;
        this.jobs = jobs;
        this.actions = new DeadActions(jobs);
    }

    List<Route> all() {
        return List.of(
                Route.read(Route.OUTBOX + "/dead-groups", this::groups),
                Route.read("/api/jobs", call -> jobs()),
                Route.write(Route.OUTBOX + "/dead/{action}", this::act),
                Route.write("/api/jobs/{job}/cancel", this::cancel));
    }

    private ConsoleResponse groups(Call call) {
        List<Map<String, Object>> groups = outboxes.own(call).tables().operators().deadGroups().stream()
                .map(group -> new Fields()
                        .with("topic", group.topic())
                        .with("reason", group.reason())
                        .with("error", group.error())
                        .with("letters", group.letters())
                        .with("requested", group.requested())
                        .with("first_at", group.firstAt())
                        .with("last_at", group.lastAt())
                        .map())
                .toList();
        return ConsoleResponse.found(Map.of("groups", groups, "grouped_at_most", OperatorTables.GROUPED));
    }

    private ConsoleResponse jobs() {
        return ConsoleResponse.found(Map.of(
                "jobs", jobs.all().stream().map(job -> job.fields().map()).toList()));
    }

    private ConsoleResponse act(Call call) {
        DeadAction action = call.choice(1, "retry", "discard").equals("retry") ? DeadAction.RETRY : DeadAction.DISCARD;
        OperatedOutbox opened = outboxes.of(call).open();
        Operator.requireShared(opened.store(), Part.DEAD_LETTERS);
        ConsoleResponse answer = actions.answer(call, action, opened);
        outboxes.of(call).changed();
        return answer;
    }

    private ConsoleResponse cancel(Call call) {
        return jobs.find(call.part(0))
                .map(job -> {
                    if (!call.flag("dry_run") && job.cancel()) {
                        note(job, call.grant().operator());
                    }
                    return ConsoleResponse.found(job.fields().map());
                })
                .orElseGet(() -> ConsoleResponse.error(404, "There is no such job"));
    }

    /** What the job has done is written down batch by batch; this line says why no more follows. */
    private void note(DeadJob job, String operator) {
        OperatedOutbox opened = outboxes.named(job.outbox()).open();
        if (!opened.isForeign()) {
            opened.tables().operators().record(operator, "cancel", "job " + job.id(), job.left());
        }
    }
}
