package dev.postrider.console;

import dev.postrider.message.MessageId;
import dev.postrider.service.console.ConsoleSettings;
import dev.postrider.service.console.Role;
import dev.postrider.service.database.MessageBrowser;
import dev.postrider.service.database.MessageQuery;
import dev.postrider.service.database.OperatorTables;
import dev.postrider.service.database.Place;
import dev.postrider.service.database.StoredMessage;
import dev.postrider.service.operation.DeadJob;
import dev.postrider.service.operation.DeadJobs;
import dev.postrider.service.operation.Fields;
import dev.postrider.service.operation.KeyLine;
import dev.postrider.service.operation.OperatedOutbox;
import dev.postrider.service.operation.OperatedOutboxes;
import dev.postrider.spi.OutboxStore.Part;
import dev.postrider.spi.StoreException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The routes of the API: each with its method, its path, and what its caller must be allowed to do. Thread-safe. */
final class ConsoleApi implements AutoCloseable {

    private static final String OUTBOX = "/api/outboxes/{outbox}";

    /** One thing that can be asked. */
    record Route(String method, String path, Role needed, Handler handler) {

        /** What stands in the place of its names; empty if it is another path. */
        Optional<List<String>> match(String asked) {
            String[] wanted = path.split("/", -1);
            String[] given = asked.split("/", -1);
            if (wanted.length != given.length) {
                return Optional.empty();
            }
            List<String> parts = new ArrayList<>();
            for (int i = 0; i < wanted.length; i++) {
                if (wanted[i].startsWith("{")) {
                    parts.add(given[i]);
                } else if (!wanted[i].equals(given[i])) {
                    return Optional.empty();
                }
            }
            return Optional.of(parts);
        }
    }

    @FunctionalInterface
    interface Handler {
        ConsoleResponse handle(Call call);
    }

    private final ConsoleSettings settings;
    private final Map<String, WatchedOutbox> outboxes = new LinkedHashMap<>();
    private final DeadJobs jobs = new DeadJobs();
    private final DeadActions deadActions = new DeadActions(jobs);
    private final MessageViews views;
    private final List<Route> routes = List.of(
            read(
                    "/api/openapi.json",
                    call -> ConsoleResponse.of(200, "application/json", StaticFiles.load("openapi.json"))),
            read("/api/me", this::me),
            read("/api/overview", call -> overview()),
            read(OUTBOX, call -> found(outbox(call).status())),
            read(
                    OUTBOX + "/problems",
                    call -> found(Map.of("problems", outbox(call).problems()))),
            read(OUTBOX + "/messages", this::messages),
            read(OUTBOX + "/messages/{id}", this::message),
            read(OUTBOX + "/key", this::key),
            read(OUTBOX + "/dead-groups", this::deadGroups),
            read(OUTBOX + "/operations", this::operations),
            read("/api/jobs", call -> found(Map.of("jobs", jobFields()))),
            write(OUTBOX + "/destinations/{destination}/pause", call -> pause(call, true)),
            write(OUTBOX + "/destinations/{destination}/resume", call -> pause(call, false)),
            write(OUTBOX + "/unblock", this::unblock),
            write(OUTBOX + "/dead/retry", call -> dead(call, DeadJob.Action.RETRY)),
            write(OUTBOX + "/dead/discard", call -> dead(call, DeadJob.Action.DISCARD)),
            write("/api/jobs/{job}/cancel", this::cancel));

    ConsoleApi(ConsoleSettings settings, OperatedOutboxes all) {
        this.settings = settings;
        this.views = new MessageViews(new Masking(settings.masked()));
        all.names().forEach(name -> outboxes.put(name, new WatchedOutbox(name, all)));
    }

    private static Route read(String path, Handler handler) {
        return new Route("GET", path, Role.METADATA, handler);
    }

    private static Route write(String path, Handler handler) {
        return new Route("POST", path, Role.OPERATE, handler);
    }

    List<Route> routes() {
        return routes;
    }

    ConsoleResponse answer(ConsoleRequest request, Access.Grant grant) {
        if (grant.role() == Role.NOTHING) {
            return ConsoleResponse.error(401, "Who are you? Send a token")
                    .with("WWW-Authenticate", "Bearer realm=\"postrider\"");
        }
        boolean isKnownPath = false;
        for (Route route : routes) {
            Optional<List<String>> parts = route.match(request.path());
            isKnownPath |= parts.isPresent();
            if (parts.isPresent() && route.method().equals(request.isRead() ? "GET" : request.method())) {
                return grant.role().includes(route.needed())
                        ? route.handler().handle(Call.of(request, grant, parts.get()))
                        : ConsoleResponse.error(403, "Your role may not do this");
            }
        }
        return isKnownPath
                ? ConsoleResponse.error(405, "This path has no " + request.method())
                : ConsoleResponse.error(404, "There is nothing at this path");
    }

    void sample() {
        outboxes.values().forEach(WatchedOutbox::sample);
    }

    private static ConsoleResponse found(Map<String, ?> fields) {
        return ConsoleResponse.json(200, fields);
    }

    private WatchedOutbox outbox(Call call) {
        return Optional.ofNullable(outboxes.get(call.part(0)))
                .orElseThrow(() -> new IllegalArgumentException("There is no outbox '" + call.part(0) + "'"));
    }

    private ConsoleResponse me(Call call) {
        return found(new Fields()
                .with("operator", call.grant().operator())
                .with("role", call.role().name())
                .with("outboxes", outboxes.keySet())
                .with("interval_ms", WatchedOutbox.INTERVAL.toMillis())
                .with("trace_link", settings.traceLink())
                .map());
    }

    private ConsoleResponse overview() {
        return found(Map.of(
                "outboxes",
                outboxes.values().stream().map(WatchedOutbox::status).toList(),
                "jobs",
                jobFields()));
    }

    private List<Map<String, Object>> jobFields() {
        return jobs.all().stream().map(job -> job.fields().map()).toList();
    }

    private MessageBrowser browser(Call call) {
        OperatedOutbox opened = own(call);
        return opened.tables().messages(opened.store());
    }

    private OperatedOutbox own(Call call) {
        OperatedOutbox opened = outbox(call).open();
        if (opened.isForeign()) {
            throw new StoreException("The tables of this outbox are of others; of them only the status is known");
        }
        return opened;
    }

    private ConsoleResponse messages(Call call) {
        Place place = place(call.value("in").orElse("hot"));
        Map<String, String> equal = new LinkedHashMap<>();
        call.value("topic").ifPresent(value -> equal.put("topic", value));
        call.value("key").ifPresent(value -> equal.put("message_key", value));
        call.value("type").ifPresent(value -> equal.put("type", value));
        if (place == Place.HELD) {
            call.value("destination").ifPresent(value -> equal.put("destination", value));
        }
        if (place == Place.DEAD) {
            call.value("reason").ifPresent(value -> equal.put("reason", value));
        }
        boolean hasError = place == Place.HELD || place == Place.DEAD;
        MessageBrowser browser = browser(call);
        if (place == Place.SENT && !browser.keepsDelivered()) {
            return found(Map.of("messages", List.of(), "is_partial", false, "keeps_delivered", false));
        }
        MessageBrowser.Page page = browser.list(new MessageQuery(
                place,
                equal,
                call.value("id").map(MessageId::of),
                hasError ? call.value("error") : Optional.empty(),
                call.value("before").map(ConsoleApi::time),
                call.value("after"),
                call.number("limit", 50, 1, 200)));
        return found(new Fields()
                .with(
                        "messages",
                        page.messages().stream().map(MessageViews::row).toList())
                .with("next", page.next())
                .with("is_partial", page.isPartial())
                .with("looked_at", MessageBrowser.LOOKED_AT)
                .with("now", browser.now())
                .map());
    }

    private static Place place(String word) {
        return Arrays.stream(Place.values())
                .filter(place -> place.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "'in' is '" + word + "', expected hot, held, delayed, dead or sent"));
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException wrong) {
            throw new IllegalArgumentException("'before' is no time such as 2026-11-18T10:00:00Z", wrong);
        }
    }

    private ConsoleResponse message(Call call) {
        MessageBrowser browser = browser(call);
        MessageId id = MessageId.of(call.part(1));
        Optional<StoredMessage> found = call.value("seq")
                .filter(seq -> place(call.value("in").orElse("hot")) != Place.DELAYED)
                .flatMap(seq -> browser.find(
                        place(call.value("in").orElse("hot")),
                        call.number("lane", 0, 0, Integer.MAX_VALUE),
                        sequence(seq),
                        id))
                .or(() -> browser.find(id));
        return found.map(message -> found(views.whole(message, browser, call.role())
                        .with("now", browser.now())
                        .map()))
                .orElseGet(() -> ConsoleResponse.error(
                        404,
                        "There is no message with this id. If it was there, it was delivered or discarded since;"
                                + " messages that have no index by id are looked for among the first 10,000 of their"
                                + " table"));
    }

    private static long sequence(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException("'seq' is no number", wrong);
        }
    }

    private ConsoleResponse key(Call call) {
        String key = call.value("key").orElseThrow(() -> new IllegalArgumentException("'key' is missing"));
        return found(MessageViews.line(KeyLine.read(own(call), key)));
    }

    private ConsoleResponse deadGroups(Call call) {
        List<Map<String, Object>> groups = own(call).tables().operators().deadGroups().stream()
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
        return found(Map.of("groups", groups, "grouped_at_most", OperatorTables.GROUPED));
    }

    private ConsoleResponse operations(Call call) {
        int limit = call.number("limit", 50, 1, 200);
        List<OperatorTables.Operation> done =
                own(call).tables().operators().operations(call.value("before").map(MessageId::of), limit);
        return found(new Fields()
                .with(
                        "operations",
                        done.stream()
                                .map(one -> new Fields()
                                        .with("id", one.id().text())
                                        .with("happened_at", one.happenedAt())
                                        .with("operator", one.operator())
                                        .with("action", one.action())
                                        .with("details", one.details())
                                        .with("affected", one.affected())
                                        .map())
                                .toList())
                .with(
                        "next",
                        done.size() < limit
                                ? Optional.empty()
                                : Optional.of(done.get(limit - 1).id().text()))
                .map());
    }

    private ConsoleResponse pause(Call call, boolean isPause) {
        OperatedOutbox opened = shared(call, Part.PAUSES);
        String destination = call.part(1);
        boolean wasPaused = opened.store().pauses().paused().contains(destination);
        boolean isKnown = wasPaused
                || opened.routes()
                        .map(routes -> routes.destinations().contains(destination))
                        .orElse(true);
        if (!isKnown) {
            throw new IllegalArgumentException("There is no destination '" + destination + "'");
        }
        if (!call.flag("dry_run")) {
            if (isPause) {
                opened.store().pauses().pause(destination, call.grant().operator());
            } else {
                opened.store().pauses().resume(destination, call.grant().operator());
            }
            outbox(call).changed();
        }
        return found(Map.of("destination", destination, "changes", wasPaused != isPause));
    }

    private OperatedOutbox shared(Call call, Part part) {
        OperatedOutbox opened = outbox(call).open();
        opened.store().whyNotShared(part).ifPresent(why -> {
            throw new StoreException(why);
        });
        return opened;
    }

    private ConsoleResponse unblock(Call call) {
        OperatedOutbox opened = shared(call, Part.BLOCKED);
        String key = call.value("key").orElseThrow(() -> new IllegalArgumentException("'key' is missing"));
        if (call.flag("dry_run")) {
            long blocked = KeyLine.read(own(call), key).steps().stream()
                    .filter(step -> step.standing() == KeyLine.Standing.BLOCKED)
                    .count();
            return found(Map.of("matching", blocked));
        }
        int unblocked = opened.store().unblock(Optional.of(key), call.grant().operator());
        outbox(call).changed();
        return found(Map.of("unblocked", unblocked));
    }

    private ConsoleResponse dead(Call call, DeadJob.Action action) {
        ConsoleResponse answer = deadActions.answer(call, action, shared(call, Part.DEAD_LETTERS));
        outbox(call).changed();
        return answer;
    }

    private ConsoleResponse cancel(Call call) {
        return jobs.find(call.part(0))
                .map(job -> {
                    job.cancel();
                    return found(job.fields().map());
                })
                .orElseGet(() -> ConsoleResponse.error(404, "There is no such job"));
    }

    @Override
    public void close() {
        jobs.close();
    }
}
