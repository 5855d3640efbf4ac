package dev.postrider.micrometer;

import java.util.List;

/**
 * Every meter of Postrider. Names, kinds and tags are part of the API: {@code docs/reference/metrics.md} lists the same.
 *
 * <p>Each carries the tag {@code outbox}. The values of all tags are few and known beforehand: names of outboxes and
 * destinations, and words of our own. Message ids, keys, types and topics are never tags.
 */
public enum PostriderMeter {
    DELIVERED(
            "postrider.messages.delivered",
            Kind.COUNTER,
            "Messages that a destination acknowledged, duplicates after a fault included",
            "destination"),
    FAILED(
            "postrider.messages.failed",
            Kind.COUNTER,
            "Attempts that failed and count; outcome is retry, reject or outage (a message that cuts the connection)",
            "destination",
            "outcome"),
    RETRIED(
            "postrider.messages.retried",
            Kind.COUNTER,
            "Attempts after a message's first, delivered or failed",
            "destination"),
    HELD(
            "postrider.messages.held",
            Kind.COUNTER,
            "Decisions to let a message wait; reason is retry, behind (an earlier one of its key) or blocked",
            "destination",
            "reason"),
    DEAD(
            "postrider.messages.dead",
            Kind.COUNTER,
            "Messages given up on; reason is rejected, attempts_exhausted, unreadable or unroutable",
            "destination",
            "reason"),
    OVERDUE(
            "postrider.messages.overdue",
            Kind.COUNTER,
            "Sends whose end the destination did not report in time; their keys wait",
            "destination"),
    DELAY(
            "postrider.delivery.delay",
            Kind.TIMER,
            "From the insert of a message to its acknowledgement, as a histogram",
            "destination"),
    SEND(
            "postrider.send",
            Kind.TIMER,
            "One send; outcome is delivered, retry, reject or outage",
            "destination",
            "outcome"),
    FETCH("postrider.fetch", Kind.TIMER, "One look for new messages; outcome is rows, empty or failed", "outcome"),
    FETCH_ROWS("postrider.fetch.rows", Kind.SUMMARY, "Rows of a fetch that found some"),
    SETTLE(
            "postrider.settle",
            Kind.TIMER,
            "One recording of outcomes; outcome is recorded, failed (tried again) or refused (the lane is lost)",
            "outcome"),
    SETTLE_ROWS("postrider.settle.rows", Kind.SUMMARY, "Outcomes recorded at once"),
    OUTAGES("postrider.outages", Kind.COUNTER, "Outages of a destination that began", "destination"),
    SLOWDOWNS(
            "postrider.slowdowns",
            Kind.COUNTER,
            "Times that a destination was found slow and given fewer messages at a time, so that others flow past it",
            "destination"),
    DESTINATION_DOWN(
            "postrider.destination.down",
            Kind.GAUGE,
            "1 while a relay of this process cannot reach the destination, else 0",
            "destination"),
    PLACES_UNAVAILABLE(
            "postrider.destination.unavailable",
            Kind.GAUGE,
            "Places of the destination that are missing, forbidden or full, and for which messages wait",
            "destination"),
    DESTINATION_PAUSED(
            "postrider.destination.paused",
            Kind.GAUGE,
            "1 while an operator has paused the destination, else 0",
            "destination"),
    LANES_OWNED("postrider.lanes.owned", Kind.GAUGE, "Lanes that the relays of this process own"),
    LANES_TAKEN("postrider.lanes.taken", Kind.COUNTER, "Lanes taken"),
    LANES_LOST("postrider.lanes.lost", Kind.COUNTER, "Lanes lost: not renewed in time, or owned by another relay"),
    STORE_FAILURES(
            "postrider.store.failures",
            Kind.COUNTER,
            "Calls to the store that failed; operation is a StoreOperation in lower case",
            "operation"),
    SWEEP_MISSED("postrider.sweep.missed", Kind.COUNTER, "Rows that the scan missed and the sweep found; must stay 0"),
    CRASHES("postrider.crashes", Kind.COUNTER, "Unexpected failures of a part of the relay; must stay 0"),
    STALLS("postrider.stalls", Kind.COUNTER, "Workers found hanging in the store or in a destination"),
    UNDELIVERED(
            "postrider.outbox.undelivered",
            Kind.GAUGE,
            "Messages to be sent, held ones included; above 10,000 an estimate"),
    WAITING("postrider.outbox.held", Kind.GAUGE, "Messages that are held; 10,000 means 10,000 or more"),
    DELAYED("postrider.outbox.delayed", Kind.GAUGE, "Messages with a due time to come; 10,000 means 10,000 or more"),
    DEAD_LETTERS("postrider.outbox.dead", Kind.GAUGE, "Dead letters; 10,000 means 10,000 or more"),
    KEPT("postrider.outbox.kept", Kind.GAUGE, "Delivered messages in the audit trail, estimated"),
    OLDEST_AGE(
            "postrider.outbox.oldest.age", Kind.TIME_GAUGE, "Age of the oldest message not delivered, held included"),
    STATS_FAILURES("postrider.outbox.stats.failures", Kind.COUNTER, "Statistics that could not be read"),
    CLEANED(
            "postrider.cleanup.deleted",
            Kind.COUNTER,
            "Rows deleted for their age; what is sent, tail (of the partitions), dead_letters, dedup_keys or operations",
            "what"),
    PARTITIONS(
            "postrider.partitions",
            Kind.COUNTER,
            "Partitions of the audit trail; action is created, dropped, postponed or skipped",
            "action"),
    MAINTENANCE_FAILURES("postrider.maintenance.failures", Kind.COUNTER, "Runs of maintenance that failed");

    /** What sort of meter it is. */
    public enum Kind {
        COUNTER,
        TIMER,
        SUMMARY,
        GAUGE,
        TIME_GAUGE
    }

    /** The tag that every meter carries. */
    public static final String OUTBOX_TAG = "outbox";

    private final String meterName;
    private final Kind kind;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // List.of cannot be changed.
    private final List<String> tags;

    PostriderMeter(String meterName, Kind kind, String description, String... tags) {
        this.meterName = meterName;
        this.kind = kind;
        this.description = description;
        this.tags = List.of(tags);
    }

    /** The name as Micrometer knows it; a registry may change its spelling. */
    public String meterName() {
        return meterName;
    }

    public Kind kind() {
        return kind;
    }

    public String description() {
        return description;
    }

    /** The keys of its tags besides {@link #OUTBOX_TAG}. */
    public List<String> tags() {
        return tags;
    }
}
