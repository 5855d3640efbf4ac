package dev.postrider.spi;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The held messages of a store without a held table: its scan returns a failed row again, with its attempts, when the row is due. */
public class NoHeldMessages implements HeldMessages {

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
        return new DueRows(List.of(), Optional.empty(), Set.of(), Instant.EPOCH);
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
