package dev.postrider.source;

import dev.postrider.source.Tracked.Dead;
import dev.postrider.source.Tracked.Held;
import dev.postrider.source.Tracked.Hot;
import dev.postrider.spi.Lease;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowOutcome.Outcome;
import dev.postrider.spi.RowOutcome.Table;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.Settlements;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Acknowledges what was delivered, and remembers the rest. */
final class SourceSettlements<T> implements Settlements {

    private final SourceCalls<T> source;
    private final SourceMemory<T> memory;
    private final SourceLeases leases;
    private final GiveUps<T> giveUps;

    SourceSettlements(SourceCalls<T> source, SourceMemory<T> memory, SourceLeases leases, GiveUps<T> giveUps) {
        this.source = source;
        this.memory = memory;
        this.leases = leases;
        this.giveUps = giveUps;
    }

    @Override
    public void delete(List<RowRef> delivered) {
        List<Tracked<T>> found = new ArrayList<>();
        // By id alone: it was delivered, whatever seq it has by now.
        delivered.forEach(ref -> memory.find(ref.id()).ifPresent(found::add));
        acknowledge(found);
    }

    private void acknowledge(List<Tracked<T>> delivered) {
        source.acknowledge(
                delivered.stream().map(tracked -> tracked.item().value()).toList());
        delivered.forEach(tracked -> memory.forget(tracked.item().id()));
    }

    /**
     * What was delivered first, in one call; if that fails nothing is changed. Everything else happens in memory and cannot
     * fail.
     */
    @Override
    public void apply(Lease lease, List<RowOutcome> outcomes) {
        leases.require(lease);
        acknowledge(outcomes.stream()
                .filter(each -> each.outcome() instanceof RowOutcome.Delivered)
                .flatMap(each -> find(each).stream())
                .toList());
        outcomes.forEach(each -> find(each).ifPresent(item -> apply(item, each.outcome())));
    }

    private Optional<Tracked<T>> find(RowOutcome outcome) {
        return memory.find(outcome.row(), outcome.table() == Table.HELD ? Held.class : Hot.class);
    }

    private void apply(Tracked<T> item, Outcome outcome) {
        Optional<Held> held = item.standing() instanceof Held already ? Optional.of(already) : Optional.empty();
        Optional<String> destination = held.map(Held::destination).orElse(outcome.heldFor());
        Optional<Instant> failedBefore = held.flatMap(Held::firstFailedAt);
        Optional<Instant> failed = failedBefore.or(() -> Optional.of(memory.now()));
        long now = memory.nanos();
        if (outcome instanceof RowOutcome.RetryLater retry) {
            long dueAt = now + retry.delay().toNanos();
            memory.change(item, new Held(destination, retry.attempts(), dueAt, false, retry.error(), failed));
        } else if (outcome instanceof RowOutcome.Behind) {
            memory.change(item, new Held(destination, 0, now, false, "", Optional.empty()));
        } else if (outcome instanceof RowOutcome.Blocked blocked) {
            memory.change(item, new Held(destination, blocked.attempts(), now, true, blocked.error(), failed));
        } else if (outcome instanceof RowOutcome.Dead dead) {
            giveUps.giveUp(
                    item,
                    new Dead(
                            dead.reason(),
                            dead.attempts(),
                            dead.error(),
                            dead.attempts() > 0 ? failed : failedBefore,
                            memory.now(),
                            false,
                            false,
                            false));
        }
    }
}
