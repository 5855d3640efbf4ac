package dev.postrider.relay;

import dev.postrider.internal.HeaderJson;
import dev.postrider.internal.StoredText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What a relay tells operators of itself with each heartbeat, as JSON: how each destination stands and why, how much is in flight, and which
 * worker stands still. Times are spans until the heartbeat, so that no clock but the database's counts.
 */
final class RelayReport {

    private static final int LONGEST_REASON = 300;

    /** Its column takes 64 KB in some databases; a heartbeat must never fail because of what it tells. */
    private static final int LONGEST = 16_000;

    private RelayReport() {}

    static String of(List<LaneWorker> workers, Collection<DestinationGate> gates) {
        Map<String, String> destinations = new LinkedHashMap<>();
        gates.forEach(gate -> destinations.put(gate.name(), destination(gate)));
        List<String> working = new ArrayList<>();
        workers.forEach(worker -> working.add(worker(worker)));
        String report = HeaderJson.write(
                Map.of(
                        "destinations",
                        HeaderJson.write(destinations, name -> false),
                        "workers",
                        "[" + String.join(",", working) + "]"),
                name -> false);
        return report.length() > LONGEST ? "{}" : report;
    }

    private static String destination(DestinationGate gate) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("state", gate.state().name());
        fields.put("why", StoredText.of(gate.why(), LONGEST_REASON));
        fields.put("state_ms", String.valueOf(gate.inStateFor().toMillis()));
        fields.put("in_flight", String.valueOf(gate.inFlight()));
        fields.put("is_slow", String.valueOf(gate.isSlow()));
        return HeaderJson.write(fields, name -> name.equals("state") || name.equals("why"));
    }

    private static String worker(LaneWorker worker) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("lanes", new TreeSet<>(worker.roster().owned()).toString());
        fields.put("still_ms", String.valueOf(worker.stillFor().toMillis()));
        fields.put("is_stalled", String.valueOf(worker.isStalled()));
        return HeaderJson.write(fields, name -> false);
    }
}
