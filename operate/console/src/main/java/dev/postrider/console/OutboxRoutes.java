package dev.postrider.console;

import dev.postrider.message.MessageId;
import dev.postrider.service.console.ConsoleSettings;
import dev.postrider.service.database.OperatorTables;
import dev.postrider.service.operation.DeadJobs;
import dev.postrider.service.operation.Fields;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How outboxes stand, their destinations, and what operators did. Thread-safe. */
final class OutboxRoutes {

    private final ConsoleSettings settings;
    private final WatchedOutboxes outboxes;
    private final DeadJobs jobs;

    OutboxRoutes(ConsoleSettings settings, WatchedOutboxes outboxes, DeadJobs jobs) {
        this.settings = settings;
        this.outboxes = outboxes;
        this.jobs = jobs;
    }

    List<Route> all() {
        return List.of(
                Route.read(
                        "/api/openapi.json",
                        call -> ConsoleResponse.of(200, "application/json", StaticFiles.load("openapi.json"))),
                Route.read("/api/me", this::me),
                Route.read("/api/overview", call -> ConsoleResponse.found(overview())),
                Route.read("/api/stream", call -> ConsoleResponse.feed(new OverviewFeed(this::overview))),
                Route.read(
                        Route.OUTBOX,
                        call -> ConsoleResponse.found(outboxes.of(call).status())),
                Route.read(
                        Route.OUTBOX + "/problems",
                        call -> ConsoleResponse.found(
                                Map.of("problems", outboxes.of(call).problems()))),
                Route.read(Route.OUTBOX + "/operations", this::operations),
                Route.write(Route.OUTBOX + "/destinations/{destination}/{action}", this::setPaused));
    }

    private ConsoleResponse me(Call call) {
        return ConsoleResponse.found(new Fields()
                .with("operator", call.grant().operator())
                .with("role", call.role().name())
                .with("outboxes", outboxes.names())
                .with("interval_ms", WatchedOutbox.INTERVAL.toMillis())
                .with("trace_link", settings.traceLink())
                .map());
    }

    private Map<String, Object> overview() {
        return Map.of(
                "outboxes",
                outboxes.all().stream().map(WatchedOutbox::status).toList(),
                "jobs",
                jobs.all().stream().map(job -> job.fields().map()).toList());
    }

    private ConsoleResponse operations(Call call) {
        int limit = call.number("limit", 50, 1, 200);
        List<OperatorTables.Operation> done = outboxes.own(call)
                .tables()
                .operators()
                .operations(call.value("before").map(MessageId::of), limit);
        return ConsoleResponse.found(new Fields()
                .with("operations", done.stream().map(OutboxRoutes::operation).toList())
                .with(
                        "next",
                        done.size() < limit
                                ? Optional.empty()
                                : Optional.of(done.get(limit - 1).id().text()))
                .map());
    }

    private static Map<String, Object> operation(OperatorTables.Operation one) {
        return new Fields()
                .with("id", one.id().text())
                .with("happened_at", one.happenedAt())
                .with("operator", one.operator())
                .with("action", one.action())
                .with("details", one.details())
                .with("affected", one.affected())
                .map();
    }

    private ConsoleResponse setPaused(Call call) {
        boolean isPause = call.choice(2, "pause", "resume").equals("pause");
        WatchedOutbox outbox = outboxes.of(call);
        String destination = call.part(1);
        boolean wasPaused =
                outboxes.operator(call).setPaused(destination, isPause, outbox.destinations(), call.flag("dry_run"));
        outbox.changed();
        return ConsoleResponse.found(new Fields()
                .with("destination", destination)
                .with("changes", wasPaused != isPause)
                .with("relays", outbox.relays())
                .map());
    }
}
