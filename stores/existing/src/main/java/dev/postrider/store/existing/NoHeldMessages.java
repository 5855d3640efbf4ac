package dev.postrider.store.existing;

import dev.postrider.spi.HeldLine;
import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import dev.postrider.spi.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToIntFunction;

/** There is no held table: a failed row comes back by the scan, with its attempts, when it is due. */
final class NoHeldMessages implements HeldMessages {

    private final String name;
    private final Set<Ordering> orderings;
    private final AtomicReference<Ordering> ordering;
    private final ToIntFunction<Optional<String>> unblocking;

    NoHeldMessages(
            String name,
            Set<Ordering> orderings,
            AtomicReference<Ordering> ordering,
            ToIntFunction<Optional<String>> unblocking) {
        this.unblocking = unblocking;
        this.name = name;
        this.orderings = orderings;
        this.ordering = ordering;
    }

    /** Learns what order the relay keeps. */
    @Override
    public void repair(Lease lease, Ordering wanted, Set<String> destinations) {
        if (!orderings.contains(wanted)) {
            throw new StoreException("%s cannot keep Ordering.%s, only %s".formatted(name, wanted, orderings));
        }
        ordering.set(wanted);
    }

    @Override
    public List<OutboxRow.Held> unassigned(int lane, int maxRows, long maxBytes) {
        return List.of();
    }

    @Override
    public void assign(Lease lease, Ordering wanted, Map<RowRef, String> destinations) {}

    @Override
    public Set<HeldLine> occupied(Set<HeldLine> lines) {
        return Set.of();
    }

    @Override
    public DueRows fetchDue(DueRequest request) {
        return new DueRows(List.of(), Optional.empty(), Set.of(), Instant.now());
    }

    @Override
    public int adoptRetries(Lease lease, Ordering wanted, int limit) {
        return 0;
    }

    @Override
    public Set<Integer> lanesWithRetries(Set<Integer> lanes) {
        return Set.of();
    }

    @Override
    public int unblock(Optional<String> key, String operator) {
        return unblocking.applyAsInt(key);
    }

    @Override
    public List<HeldHead> heads(int limit) {
        return List.of();
    }

    /** The table knows no destination. */
    @Override
    public List<Waiting> waiting() {
        return List.of();
    }
}
