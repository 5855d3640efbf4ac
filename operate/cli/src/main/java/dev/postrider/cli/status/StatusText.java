package dev.postrider.cli.status;

import static dev.postrider.internal.Readable.grouped;

import dev.postrider.cli.output.Columns;
import dev.postrider.cli.output.Paint;
import dev.postrider.cli.output.Plain;
import dev.postrider.cli.output.TextTable;
import dev.postrider.internal.Readable;
import dev.postrider.service.operation.OutboxStatus;
import dev.postrider.service.operation.Rates;
import dev.postrider.spi.HeldReport.HeldHead;
import dev.postrider.spi.HeldReport.Waiting;
import dev.postrider.spi.LaneLeases.LaneState;
import dev.postrider.spi.RowCount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A status for people. */
public final class StatusText {

    private final OutboxStatus status;
    private final Paint paint;

    private StatusText(OutboxStatus status, Paint paint) {
        this.status = status;
        this.paint = paint;
    }

    public static List<String> lines(OutboxStatus status, Paint paint) {
        StatusText text = new StatusText(status, paint);
        List<String> lines = new ArrayList<>(List.of(paint.heading("outbox " + status.outbox())));
        lines.addAll(text.numbers());
        lines.addAll(text.lanes());
        lines.addAll(text.waiting());
        lines.addAll(text.heads());
        return lines;
    }

    private List<String> numbers() {
        var stats = status.stats();
        TextTable table = new TextTable()
                .row("undelivered", rows(new RowCount(stats.undelivered(), stats.undeliveredIsExact())))
                .row("oldest", stats.oldestAge().isZero() ? "-" : Readable.time(stats.oldestAge()))
                .row("rates", status.rates().map(StatusText::rates).orElse("-"))
                .row("held", grouped(stats.held()))
                .row("delayed", grouped(stats.delayed()))
                .row("dead letters", dead())
                .row("kept", rows(stats.kept()));
        if (!status.byStatus().isEmpty()) {
            table.row("by status", byStatus());
        }
        return table.row(
                        "paused",
                        status.paused().isEmpty() ? "-" : paint.warning(Plain.text(String.join(", ", status.paused()))))
                .row("lanes", relays())
                .lines();
    }

    private String byStatus() {
        return status.byStatus().entrySet().stream()
                .map(each -> Plain.text(each.getKey()) + " " + rows(each.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String rows(RowCount count) {
        return (count.isExact() ? "" : "about ") + grouped(count.rows());
    }

    private String relays() {
        return status.isRelayKnown()
                ? grouped(status.lanes().size()) + ", " + grouped(status.freeLanes()) + " without a relay"
                : "not known: this table does not tell which relays run";
    }

    private static String rates(Rates rates) {
        return "about %s enqueued and %s delivered each second"
                .formatted(grouped(Math.round(rates.enqueued())), grouped(Math.round(rates.delivered())));
    }

    private String dead() {
        String byReason = status.dead().entrySet().stream()
                .map(entry -> entry.getKey() + " " + grouped(entry.getValue()))
                .collect(Collectors.joining(", "));
        return byReason.isEmpty()
                ? "0"
                : paint.warning((status.isDeadExact() ? "" : "at least ") + grouped(status.deadLetters()) + " ("
                        + byReason + ")");
    }

    /** One line for each relay. */
    private List<String> lanes() {
        Map<String, List<LaneState>> byOwner = new TreeMap<>();
        status.lanes().stream()
                .filter(LaneState::isOwned)
                .forEach(lane -> byOwner.computeIfAbsent(lane.owner().orElseThrow(), owner -> new ArrayList<>())
                        .add(lane));
        if (byOwner.isEmpty()) {
            return List.of();
        }
        Columns columns = new Columns("RELAY", "LEASE LEFT", "LANES");
        byOwner.forEach((owner, lanes) -> columns.row(
                Plain.text(owner, 64),
                Readable.time(lanes.stream()
                        .map(LaneState::remaining)
                        .min(Duration::compareTo)
                        .orElseThrow()),
                lanes.stream().map(lane -> String.valueOf(lane.lane())).collect(Collectors.joining(" "))));
        return columns.lines();
    }

    private List<String> waiting() {
        if (status.held().waiting().isEmpty()) {
            return List.of();
        }
        Columns columns = new Columns("WAITS FOR", "TOPIC", "MESSAGES", "SINCE", "WHY");
        for (Waiting waiting : status.held().waiting()) {
            columns.row(
                    Plain.text(waiting.destination(), 40),
                    Plain.text(waiting.topic(), 40),
                    grouped(waiting.messages()),
                    waiting.since().map(String::valueOf).orElse("-"),
                    Plain.text(waiting.error(), 120));
        }
        return columns.lines();
    }

    private List<String> heads() {
        if (status.held().heads().isEmpty()) {
            return List.of();
        }
        Columns columns = new Columns("HELD KEY", "TOPIC", "ATTEMPTS", "NEXT IN", "LAST ERROR");
        for (HeldHead head : status.held().heads()) {
            columns.row(
                    Plain.text(head.key().orElse("(no key)"), 40),
                    Plain.text(head.topic(), 40),
                    String.valueOf(head.attempts()),
                    head.nextAttemptIn().map(Readable::time).orElse("blocked"),
                    Plain.text(head.error(), 60));
        }
        return columns.lines();
    }
}
