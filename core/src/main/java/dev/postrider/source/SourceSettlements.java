package dev.postrider.source;

import dev.postrider.message.MessageId;
import dev.postrider.source.Tracked.Standing;
import dev.postrider.spi.Lease;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.Settlements;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Acknowledges what was delivered, tells the source of what was given up, and remembers the rest. */
final class SourceSettlements<T> implements Settlements {

    private static final long TELL_AGAIN_NANOS = Duration.ofSeconds(10).toNanos();

    private final SourceCalls<T> source;
    private final SourceMemory<T> memory;
    private final SourceLeases leases;
    private volatile boolean hasOwed;
    private volatile long tellAgainAt;

    SourceSettlements(SourceCalls<T> source, SourceMemory<T> memory, SourceLeases leases) {
        this.source = source;
        this.memory = memory;
        this.leases = leases;
    }

    /** By id alone: it was delivered, whatever seq it has by now. */
    @Override
    public void delete(List<RowRef> delivered) {
        acknowledge(memory.find(delivered));
    }

    private void acknowledge(List<Tracked<T>> delivered) {
        source.acknowledge(delivered);
        memory.forget(delivered);
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
                .flatMap(each -> memory.handed(each.row()).stream())
                .toList());
        outcomes.forEach(
                each -> note(each).filter(tracked -> tracked.is(Standing.DEAD)).ifPresent(this::tell));
    }

    private Optional<Tracked<T>> note(RowOutcome each) {
        synchronized (memory) {
            Optional<Tracked<T>> item = memory.handed(each.row());
            item.ifPresent(tracked -> tracked.note(each.outcome(), memory.now(), memory.nanos()));
            return item;
        }
    }

    private void tell(Tracked<T> dead) {
        boolean isTold = source.giveUp(dead);
        synchronized (memory) {
            dead.isOwed = !isTold;
        }
        if (!isTold) {
            hasOwed = true;
            tellAgainAt = memory.nanos() + TELL_AGAIN_NANOS;
        }
    }

    /** Tells the source once more of what it has not understood, as far as it still returns that. */
    void tellAgain(Set<MessageId> returned) {
        if (hasOwed && memory.nanos() - tellAgainAt >= 0) {
            hasOwed = false;
            memory.all(Standing.DEAD)
                    .filter(dead -> dead.isOwed && returned.contains(dead.id()))
                    .forEach(this::tell);
        }
    }
}
