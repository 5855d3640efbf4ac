package dev.postrider.store.existing;

import dev.postrider.spi.HeldLine;
import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.Lease;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** There is no held table: a failed row comes back by the scan, with its attempts, when it is due. */
final class NoHeldMessages implements HeldMessages {

    @Override
    public void repair(Lease lease, Set<String> destinations) {}

    @Override
    public List<OutboxRow.Held> unassigned(int lane, int maxRows, long maxBytes) {
        return List.of();
    }

    @Override
    public void assign(Lease lease, Map<RowRef, String> destinations) {}

    @Override
    public Set<HeldLine> occupied(Set<HeldLine> lines) {
        return Set.of();
    }

    @Override
    public DueRows fetchDue(DueRequest request) {
        return new DueRows(List.of(), Optional.empty(), Set.of(), Instant.now());
    }

    @Override
    public int adoptRetries(Lease lease, int limit) {
        return 0;
    }

    @Override
    public Set<Integer> lanesWithRetries(Set<Integer> lanes) {
        return Set.of();
    }
}
