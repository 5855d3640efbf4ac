package dev.postrider.service.doctor;

import dev.postrider.internal.Readable;
import dev.postrider.service.OutboxConfig;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import dev.postrider.spi.HeldReport;
import dev.postrider.spi.HeldReport.HeldHead;
import dev.postrider.spi.HeldReport.Waiting;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Looks for messages that wait for a person: dead letters, blocked keys, pauses, and a backlog that is too old. */
final class WaitingCheck implements Check {

    private static final int LOOKED_AT = 1_000;

    private final ExaminedOutbox outbox;
    private final OutboxDatabase database;

    WaitingCheck(ExaminedOutbox outbox, OutboxDatabase database) {
        this.outbox = outbox;
        this.database = database;
    }

    @Override
    public String name() {
        return "waiting messages";
    }

    @Override
    public List<Finding> run() {
        OutboxStore store = database.tables(outbox.store()).open(SchemaMode.NONE);
        OutboxStats stats = store.stats();
        List<Finding> findings = new ArrayList<>();
        outbox.config()
                .flatMap(OutboxConfig::maxOldestAge)
                .filter(most -> stats.oldestAge().compareTo(most) > 0)
                .ifPresent(most -> findings.add(Finding.warning(
                        "the oldest undelivered message is %s old, max-oldest-age is %s"
                                .formatted(Readable.time(stats.oldestAge()), Readable.time(most)),
                        "/ready is down",
                        "See 'postrider status' for what holds it back")));
        if (stats.dead() > 0) {
            findings.add(Finding.note(
                    (stats.dead() == 1 ? "there is " : "there are ") + Readable.count(stats.dead(), "dead letter"),
                    "they stay until you retry or discard them",
                    "Run 'postrider dead list', then 'postrider dead retry' or 'postrider dead discard'"));
        }
        HeldReport held = store.heldReport(LOOKED_AT);
        blocked(held.heads(), findings);
        held.waiting().forEach(waiting -> findings.add(unavailable(waiting)));
        paused(store.pauses().paused(), findings);
        return findings;
    }

    private static void blocked(List<HeldHead> heads, List<Finding> findings) {
        long blocked =
                heads.stream().filter(head -> head.nextAttemptIn().isEmpty()).count();
        if (blocked > 0) {
            findings.add(Finding.warning(
                    Readable.count(blocked, "key") + (blocked == 1 ? " is" : " are")
                            + " blocked by a message that was given up",
                    "everything after it of the same key waits",
                    "Fix the cause, then run 'postrider unblock'"));
        }
    }

    private static Finding unavailable(Waiting waiting) {
        return Finding.warning(
                "%s of topic %s %s for destination %s: %s"
                        .formatted(
                                Readable.count(waiting.messages(), "message"),
                                waiting.topic(),
                                waiting.messages() == 1 ? "waits" : "wait",
                                waiting.destination(),
                                waiting.error()),
                "their keys wait behind them, and no attempt is counted",
                "Cure the cause; they are sent by themselves then");
    }

    private static void paused(Set<String> paused, List<Finding> findings) {
        if (!paused.isEmpty()) {
            findings.add(Finding.note(
                    "paused: " + String.join(", ", paused),
                    "messages for them wait in the outbox",
                    "Run 'postrider resume' when they may receive again"));
        }
    }
}
