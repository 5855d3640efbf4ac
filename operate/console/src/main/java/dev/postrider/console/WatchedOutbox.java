package dev.postrider.console;

import dev.postrider.console.RelayReports.Standing;
import dev.postrider.message.PostriderException;
import dev.postrider.service.Routes;
import dev.postrider.service.database.OperatorTables;
import dev.postrider.service.database.OperatorTables.Control;
import dev.postrider.service.database.OperatorTables.Member;
import dev.postrider.service.doctor.Doctor;
import dev.postrider.service.operation.Fields;
import dev.postrider.service.operation.OperatedOutbox;
import dev.postrider.service.operation.OperatedOutboxes;
import dev.postrider.service.operation.OutboxStatus;
import dev.postrider.service.operation.StatusJson;
import dev.postrider.service.operation.StatusWatch;
import dev.postrider.spi.Finding;
import dev.postrider.spi.HeldReport.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What the console knows of one outbox, asked at most once in each interval, however many browsers look. Thread-safe. */
final class WatchedOutbox {

    /** How often the statistics of an outbox are read, at most. */
    static final Duration INTERVAL = Duration.ofSeconds(2);

    private static final Duration EXAMINED_EVERY = Duration.ofSeconds(60);
    private static final Duration LONG_TRANSACTION = Duration.ofMinutes(1);

    private final String name;
    private final OperatedOutboxes outboxes;
    private final RateHistory history = new RateHistory();
    private final Cached<Map<String, Object>> status = new Cached<>(INTERVAL, this::readStatus);
    private final Cached<List<Map<String, Object>>> problems = new Cached<>(EXAMINED_EVERY, this::examine);
    private Optional<StatusWatch> watch = Optional.empty();

    WatchedOutbox(String name, OperatedOutboxes outboxes) {
        this.name = name;
        this.outboxes = outboxes;
    }

    OperatedOutbox open() {
        return outboxes.open(name);
    }

    /** How it stands; if it cannot be reached, why. */
    Map<String, Object> status() {
        return status.get();
    }

    /** What the doctor says. */
    List<Map<String, Object>> problems() {
        return problems.get();
    }

    /** The names of its destinations, as far as they are known. */
    List<String> destinations() {
        OperatedOutbox outbox = open();
        Set<String> names =
                new TreeSet<>(outbox.routes().map(Routes::destinations).orElse(Set.of()));
        if (!outbox.isForeign()) {
            new RelayReports(outbox.tables().operators().members()).names().forEach(names::add);
        }
        return List.copyOf(names);
    }

    /** How many relays it has. */
    int relays() {
        OperatedOutbox outbox = open();
        return outbox.isForeign() ? 0 : outbox.tables().operators().members().size();
    }

    /** After a change, which everybody wants to see. */
    void changed() {
        status.forget();
    }

    /** The rates for the chart; costs one cheap statement. */
    synchronized void sample() {
        try {
            watch().rates().ifPresent(history::add);
        } catch (PostriderException unreachable) {
            watch = Optional.empty();
        }
    }

    private synchronized StatusWatch watch() {
        OperatedOutbox outbox = open();
        StatusWatch known = watch.orElseGet(
                () -> new StatusWatch(name, outbox.store(), outbox.tables().counters()));
        watch = Optional.of(known);
        return known;
    }

    private Map<String, Object> readStatus() {
        try {
            OperatedOutbox outbox = open();
            OutboxStatus read = OutboxStatus.read(name, outbox.store(), Optional.empty());
            Fields fields = StatusJson.fields(read)
                    .with("is_foreign", outbox.isForeign())
                    .with("keeps_delivered", outbox.store().keepsDelivered())
                    .with("history", history.fields());
            return outbox.isForeign()
                    ? fields.map()
                    : withTables(fields, outbox, read).map();
        } catch (PostriderException unreachable) {
            return new Fields()
                    .with("outbox", name)
                    .with("problem", String.valueOf(unreachable.getMessage()))
                    .map();
        }
    }

    private static Fields withTables(Fields fields, OperatedOutbox outbox, OutboxStatus read) {
        OperatorTables tables = outbox.tables().operators();
        List<Member> members = tables.members();
        RelayReports reports = new RelayReports(members);
        return fields.with("oldest_by_lane", byName(tables.oldestByLane()))
                .with("oldest_held_by_lane", byName(tables.oldestHeldByLane()))
                .with("destinations", destinations(outbox, read, tables.pauses(), reports))
                .with(
                        "relays",
                        members.stream()
                                .map(member -> new Fields()
                                        .with("owner", member.owner())
                                        .with("started_at", member.startedAt())
                                        .with("heartbeat_at", member.heartbeatAt())
                                        .with("lanes", lanesOf(read, member.owner()))
                                        .with("workers", reports.workers(member.owner()))
                                        .map())
                                .toList());
    }

    private static Map<String, Object> byName(Map<Integer, Instant> ages) {
        Map<String, Object> named = new LinkedHashMap<>();
        ages.forEach((lane, at) -> named.put(String.valueOf(lane), at));
        return named;
    }

    private static long lanesOf(OutboxStatus read, String owner) {
        return read.lanes().stream()
                .filter(lane -> lane.isOwned() && lane.owner().equals(Optional.of(owner)))
                .count();
    }

    /** Those of the file and of relays, and any that is paused or waited for. */
    private static List<Map<String, Object>> destinations(
            OperatedOutbox outbox, OutboxStatus read, List<Control> pauses, RelayReports reports) {
        Set<String> names =
                new TreeSet<>(outbox.routes().map(Routes::destinations).orElse(Set.of()));
        reports.names().forEach(names::add);
        pauses.forEach(pause -> names.add(pause.name()));
        read.held().waiting().forEach(waiting -> names.add(waiting.destination()));
        return names.stream()
                .map(destination -> destination(destination, read, pauses, reports))
                .toList();
    }

    private static Map<String, Object> destination(
            String name, OutboxStatus read, List<Control> pauses, RelayReports reports) {
        Optional<Control> pause =
                pauses.stream().filter(one -> one.name().equals(name)).findFirst();
        List<Waiting> waiting = read.held().waiting().stream()
                .filter(one -> one.destination().equals(name))
                .toList();
        Optional<Instant> waitingSince =
                waiting.stream().flatMap(one -> one.since().stream()).min(Instant::compareTo);
        Optional<Standing> worst = reports.worst(name);
        boolean isSlow = reports.of(name).stream().anyMatch(Standing::isSlow);
        String state = pause.map(paused -> "PAUSED")
                .or(() -> worst.map(standing -> standing.state().equals("DOWN") ? "CLOSED" : "TRYING"))
                .orElse(!waiting.isEmpty() ? "WAITING" : isSlow ? "SLOW" : "OPEN");
        return new Fields()
                .with("name", name)
                .with("state", state)
                .with(
                        "since",
                        pause.map(Control::setAt)
                                .or(() -> worst.map(Standing::since))
                                .or(() -> waitingSince)
                                .or(() -> reports.of(name).stream()
                                        .map(Standing::since)
                                        .max(Instant::compareTo)))
                .with("paused_by", pause.map(Control::setBy))
                .with("waiting", waiting.stream().mapToLong(Waiting::messages).sum())
                .with(
                        "error",
                        worst.map(Standing::why)
                                .filter(why -> !why.isEmpty())
                                .or(() -> waiting.stream().map(Waiting::error).findFirst()))
                .with(
                        "in_flight",
                        reports.of(name).stream().mapToLong(Standing::inFlight).sum())
                .with("is_slow", isSlow)
                .with("relays", reports.of(name).stream().map(Standing::fields).toList())
                .map();
    }

    private List<Map<String, Object>> examine() {
        List<Map<String, Object>> findings = new ArrayList<>();
        outboxes.examine(
                name,
                new Doctor(
                        LONG_TRANSACTION,
                        examined -> examined.findings()
                                .forEach(finding -> findings.add(finding(examined.check(), finding)))));
        return findings;
    }

    private static Map<String, Object> finding(String check, Finding finding) {
        return new Fields()
                .with("check", check)
                .with("severity", finding.severity().name())
                .with("what", finding.what())
                .with("meaning", finding.meaning())
                .with("fix", finding.fix())
                .map();
    }
}
