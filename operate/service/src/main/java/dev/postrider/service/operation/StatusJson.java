package dev.postrider.service.operation;

import dev.postrider.spi.HeldReport.HeldHead;
import dev.postrider.spi.HeldReport.Waiting;
import dev.postrider.spi.LaneLeases.LaneState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A status for programs; times are milliseconds. */
public final class StatusJson {

    private StatusJson() {}

    public static Fields fields(OutboxStatus status) {
        Map<String, Long> dead = new LinkedHashMap<>();
        status.dead().forEach((reason, count) -> dead.put(reason.name(), count));
        return new Fields()
                .with("outbox", status.outbox())
                .with("undelivered", status.stats().undelivered())
                .with("undelivered_is_exact", status.stats().undeliveredIsExact())
                .with("oldest_age_ms", status.stats().oldestAge().toMillis())
                .with("enqueued_per_second", status.rates().map(rates -> Math.round(rates.enqueued())))
                .with("delivered_per_second", status.rates().map(rates -> Math.round(rates.delivered())))
                .with("held", status.stats().held())
                .with("delayed", status.stats().delayed())
                .with("dead", status.deadLetters())
                .with("dead_is_exact", status.isDeadExact())
                .with("dead_by_reason", dead)
                .with("kept", status.stats().kept().rows())
                .with("kept_is_exact", status.stats().kept().isExact())
                .with("by_status", byStatus(status))
                .with("paused", status.paused())
                .with("relays_are_known", status.isRelayKnown())
                .with("lanes", lanes(status))
                .with(
                        "waiting",
                        status.held().waiting().stream()
                                .map(StatusJson::waiting)
                                .toList())
                .with(
                        "held_keys",
                        status.held().heads().stream().map(StatusJson::head).toList());
    }

    private static Map<String, Map<String, Object>> byStatus(OutboxStatus status) {
        Map<String, Map<String, Object>> counts = new LinkedHashMap<>();
        status.byStatus()
                .forEach((value, count) -> counts.put(
                        value,
                        new Fields()
                                .with("rows", count.rows())
                                .with("is_exact", count.isExact())
                                .map()));
        return counts;
    }

    /** The lanes; empty where they say nothing. */
    private static List<Map<String, Object>> lanes(OutboxStatus status) {
        return status.isRelayKnown()
                ? status.lanes().stream().map(StatusJson::lane).toList()
                : List.of();
    }

    private static Map<String, Object> lane(LaneState lane) {
        return new Fields()
                .with("lane", lane.lane())
                .with("owner", lane.owner())
                .with("epoch", lane.epoch())
                .with("lease_ms", lane.remaining().toMillis())
                .with("is_owned", lane.isOwned())
                .map();
    }

    private static Map<String, Object> waiting(Waiting waiting) {
        return new Fields()
                .with("destination", waiting.destination())
                .with("topic", waiting.topic())
                .with("messages", waiting.messages())
                .with("since", waiting.since())
                .with("error", waiting.error())
                .map();
    }

    private static Map<String, Object> head(HeldHead head) {
        return new Fields()
                .with("id", head.ref().id())
                .with("lane", head.ref().lane())
                .with("key", head.key())
                .with("topic", head.topic())
                .with("type", head.type())
                .with("attempts", head.attempts())
                .with("is_blocked", head.nextAttemptIn().isEmpty())
                .with("next_attempt_in_ms", head.nextAttemptIn().map(Duration::toMillis))
                .with("first_failed_at", head.firstFailedAt())
                .with("error", head.error())
                .map();
    }
}
