package dev.postrider.console;

import dev.postrider.internal.JsonText;
import dev.postrider.internal.JsonText.Value;
import dev.postrider.service.database.OperatorTables.Member;
import dev.postrider.service.operation.Fields;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What relays say of themselves with their heartbeats, put together. Immutable; a report that cannot be read counts as none. */
final class RelayReports {

    /** From which time without a step on a worker stands still, though its lease is not over. */
    private static final long STANDS_STILL_MS = 5_000;

    /**
     * How a destination stands at one relay.
     *
     * @param state UP, TRYING, PAUSED or DOWN
     */
    record Standing(String relay, String state, Instant since, String why, long inFlight, boolean isSlow) {

        Map<String, Object> fields() {
            return new Fields()
                    .with("relay", relay)
                    .with("state", state)
                    .with("since", since)
                    .with("why", why)
                    .with("in_flight", inFlight)
                    .with("is_slow", isSlow)
                    .map();
        }
    }

    private final Map<String, List<Standing>> destinations = new LinkedHashMap<>();
    private final Map<String, List<Map<String, Object>>> workers = new LinkedHashMap<>();

    RelayReports(List<Member> members) {
        members.forEach(this::read);
    }

    private void read(Member member) {
        try {
            Map<String, Value> report = JsonText.members(member.report());
            Optional.ofNullable(report.get("destinations"))
                    .ifPresent(found -> JsonText.members(found.source())
                            .forEach((name, value) -> destinations
                                    .computeIfAbsent(name, first -> new ArrayList<>())
                                    .add(standing(member, JsonText.members(value.source())))));
            Optional.ofNullable(report.get("workers"))
                    .ifPresent(found -> workers.put(
                            member.owner(),
                            JsonText.elements(found.source()).stream()
                                    .map(worker -> worker(JsonText.members(worker)))
                                    .toList()));
        } catch (IllegalArgumentException unreadable) {
            workers.remove(member.owner());
        }
    }

    private static Standing standing(Member member, Map<String, Value> fields) {
        return new Standing(
                member.owner(),
                text(fields, "state"),
                member.heartbeatAt().minusMillis(number(fields, "state_ms")),
                text(fields, "why"),
                number(fields, "in_flight"),
                text(fields, "is_slow").equals("true"));
    }

    private static Map<String, Object> worker(Map<String, Value> fields) {
        return new Fields()
                .with("lanes", lanes(fields))
                .with("still_ms", number(fields, "still_ms"))
                .with(
                        "stands_still",
                        text(fields, "is_stalled").equals("true") || number(fields, "still_ms") > STANDS_STILL_MS)
                .map();
    }

    private static List<Integer> lanes(Map<String, Value> fields) {
        return Optional.ofNullable(fields.get("lanes")).map(Value::source).stream()
                .flatMap(lanes -> JsonText.elements(lanes).stream())
                .map(lane -> Integer.parseInt(lane.strip()))
                .toList();
    }

    private static String text(Map<String, Value> fields, String name) {
        return Optional.ofNullable(fields.get(name)).flatMap(Value::scalar).orElse("");
    }

    private static long number(Map<String, Value> fields, String name) {
        String text = text(fields, name);
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    Iterable<String> names() {
        return destinations.keySet();
    }

    /** How the destination stands at each relay. */
    List<Standing> of(String destination) {
        return destinations.getOrDefault(destination, List.of());
    }

    /** One that is closed, or tries whether it can open, if there is any. After a pause it tries too, but nothing was wrong. */
    Optional<Standing> worst(String destination) {
        return first(destination, "DOWN")
                .or(() -> first(destination, "TRYING").filter(one -> !one.why().isEmpty()));
    }

    private Optional<Standing> first(String destination, String state) {
        return of(destination).stream()
                .filter(standing -> standing.state().equals(state))
                .findFirst();
    }

    /** The workers of a relay: their lanes, and for how long they have not moved. */
    List<Map<String, Object>> workers(String relay) {
        return workers.getOrDefault(relay, List.of());
    }
}
