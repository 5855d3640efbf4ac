package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RowOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ExistingScanTest {

    private static final Duration DELAY = Duration.ofNanos(2);

    private final AtomicLong clock = new AtomicLong();
    private final List<RowQuery> looks = new ArrayList<>();

    /** Time passes with each look at the clock, so at some start the retry falls due between the two questions. */
    @Test
    void neverLeavesOutARowThatFallsDueWithoutLeavingOutItsKey() {
        for (int start = 0; start < 10; start++) {
            TakenRows taken = new TakenRows();
            MoveTables pendingAlone = new MoveTables(
                    Database.MYSQL,
                    new MoveTables.Opened(
                            new MovePaths(
                                    TablePath.parse("outbox_pending"),
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.empty()),
                            false,
                            true,
                            Optional.empty()),
                    new MoveTexts(Optional.empty(), MoveTexts.SUBJECT, true));
            FailureMemory failures = new FailureMemory(pendingAlone, clock::getAndIncrement);
            Taken failed = taken.add(0, head("a"));
            failures.note(failed, new RowOutcome.RetryLater("broker", 1, "busy", DELAY.plusNanos(start)));
            ExistingScan scan = new ExistingScan(
                    new StoreParts(pendingAlone, new Noted(), taken, failures, Duration.ZERO), Ordering.PER_KEY);
            scan.add(new TakenLane(new Lease(0, "one", 1), Optional.empty()));

            scan.fetch(new FetchRequest(Set.of(0), new NothingKnown(), Set.of(), 10, 1_000));

            RowQuery look = looks.get(looks.size() - 1);
            assertThat(look.skippedKeys().contains("a") || !look.skipped().contains(failed.key()))
                    .as("keys %s, rows %s", look.skippedKeys(), look.skipped())
                    .isTrue();
        }
        assertThat(looks)
                .anyMatch(
                        look -> look.skipped().isEmpty() && !look.skippedKeys().isEmpty());
    }

    private static Head head(String key) {
        RowKey row = new RowKey(ColumnKind.TEXT, "row");
        return new Head(row, MessageId.of("row"), Optional.of(key), 0, Instant.EPOCH, Instant.EPOCH, Map.of(), 0);
    }

    /** Remembers what was looked for, and finds nothing. */
    private final class Noted implements Claims {

        @Override
        public boolean mayTake(Set<Integer> lanes) {
            return true;
        }

        @Override
        public TakenBatch take(int lane, RowQuery find, long maxBytes) {
            looks.add(find);
            return TakenBatch.NONE;
        }

        @Override
        public boolean prolong(int lane, Duration length) {
            return true;
        }

        @Override
        public void giveBack(List<Taken> rows) {}

        @Override
        public void settle(List<Settled> settled, Optional<Lease> lease) {}

        @Override
        public void leaseIs(Duration length) {}
    }
}
