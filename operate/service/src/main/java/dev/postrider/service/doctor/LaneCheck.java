package dev.postrider.service.doctor;

import dev.postrider.internal.Readable;
import dev.postrider.service.OutboxConfig;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import dev.postrider.spi.LaneLeases.LaneState;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OutboxStore.Part;
import dev.postrider.store.jdbc.SchemaMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks whether there are enough lanes for all relays, and a relay for every lane. */
final class LaneCheck implements Check {

    private final ExaminedOutbox outbox;
    private final OutboxDatabase database;

    LaneCheck(ExaminedOutbox outbox, OutboxDatabase database) {
        this.outbox = outbox;
        this.database = database;
    }

    @Override
    public String name() {
        return "lanes";
    }

    @Override
    public List<Finding> run() {
        OutboxStore store = database.tables(outbox.store()).open(SchemaMode.NONE);
        List<LaneState> lanes = store.leases().lanes();
        List<Finding> findings = new ArrayList<>();
        if (store.whyNotShared(Part.RELAYS).isEmpty()) {
            unowned(lanes, store.stats().undelivered()).ifPresent(findings::add);
        }
        outbox.config()
                .map(OutboxConfig::workers)
                .filter(workers -> workers > lanes.size())
                .map(workers -> tooFew(lanes.size(), workers))
                .ifPresent(findings::add);
        return findings;
    }

    private static Optional<Finding> unowned(List<LaneState> lanes, long undelivered) {
        long unowned = lanes.stream().filter(lane -> !lane.isOwned()).count();
        if (unowned == 0) {
            return Optional.empty();
        }
        String what = "%d of %s %s to no relay; %s undelivered"
                .formatted(
                        unowned,
                        Readable.count(lanes.size(), "lane"),
                        unowned == 1 ? "belongs" : "belong",
                        Readable.count(undelivered, "message"));
        return Optional.of(
                undelivered > 0
                        ? Finding.warning(
                                what,
                                "messages of these lanes wait",
                                "Start a relay; after one was killed, wait for the end of its lease")
                        : Finding.note(what, "no relay is running, or one has just ended", "Start a relay"));
    }

    private static Finding tooFew(int lanes, int workers) {
        return Finding.warning(
                "%s for %s of one relay".formatted(Readable.count(lanes, "lane"), Readable.count(workers, "worker")),
                "a lane is served by one worker of one relay, so some workers have nothing to do",
                "Use fewer workers, or more lanes: see 'postrider lanes --help'");
    }
}
