package dev.postrider.testkit;

import dev.postrider.spi.LaneLeases;
import dev.postrider.spi.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Leases in memory, by the store's clock. */
final class InMemoryLeases implements LaneLeases {

    private final InMemoryTables tables;

    InMemoryLeases(InMemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public int heartbeat(String owner, Duration timeToLive) {
        return tables.run("leases.heartbeat", () -> {
            tables.members.put(owner, tables.now());
            Instant oldest = tables.now().minus(timeToLive);
            tables.members.values().removeIf(seen -> seen.isBefore(oldest));
            return tables.members.size();
        });
    }

    @Override
    public List<LaneState> lanes() {
        return tables.run("leases.lanes", () -> {
            List<LaneState> states = new ArrayList<>();
            for (int lane = 0; lane < tables.lanes.size(); lane++) {
                LaneRecord row = tables.lanes.get(lane);
                Duration remaining =
                        row.owner().isEmpty() ? Duration.ZERO : Duration.between(tables.now(), row.leaseUntil());
                states.add(new LaneState(lane, row.owner(), row.epoch(), remaining));
            }
            return states;
        });
    }

    @Override
    public Optional<TakenLane> take(int lane, String owner, Duration timeToLive) {
        return tables.run("leases.take", () -> {
            LaneRecord row = tables.lanes.get(lane);
            if (row.owner().isPresent()
                    && !row.owner().get().equals(owner)
                    && row.leaseUntil().isAfter(tables.now())) {
                return Optional.empty();
            }
            Lease lease = new Lease(lane, owner, row.epoch() + 1);
            tables.lanes.set(
                    lane,
                    new LaneRecord(
                            Optional.of(owner), lease.epoch(), tables.now().plus(timeToLive), row.position()));
            return Optional.of(new TakenLane(lease, row.position()));
        });
    }

    @Override
    public Set<Integer> renew(Collection<Renewal> renewals, Duration timeToLive) {
        return tables.run("leases.renew", () -> {
            Set<Integer> renewed = new HashSet<>();
            for (Renewal renewal : renewals) {
                if (isHeld(renewal.lease())) {
                    replace(
                            renewal,
                            Optional.of(renewal.lease().owner()),
                            tables.now().plus(timeToLive));
                    renewed.add(renewal.lease().lane());
                }
            }
            return renewed;
        });
    }

    @Override
    public void release(Collection<Renewal> renewals) {
        tables.run("leases.release", () -> {
            for (Renewal renewal : renewals) {
                if (isHeld(renewal.lease())) {
                    replace(renewal, Optional.empty(), Instant.MIN);
                }
            }
        });
    }

    private boolean isHeld(Lease lease) {
        LaneRecord row = tables.lanes.get(lease.lane());
        return row.epoch() == lease.epoch() && row.owner().equals(Optional.of(lease.owner()));
    }

    private void replace(Renewal renewal, Optional<String> owner, Instant until) {
        tables.lanes.set(
                renewal.lease().lane(), new LaneRecord(owner, renewal.lease().epoch(), until, renewal.position()));
    }

    @Override
    public void leave(String owner) {
        tables.run("leases.leave", () -> {
            tables.members.remove(owner);
        });
    }
}
