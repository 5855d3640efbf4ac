package dev.postrider.store.jdbc;

import dev.postrider.spi.LaneLeases;
import dev.postrider.spi.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Leases as rows of the lane table. */
final class JdbcLaneLeases implements LaneLeases {

    private final JdbcContext context;
    private final TransactionRunner transactions;
    private final Members members;
    private final String listLanes;
    private final String take;
    private final String readTaken;
    private final String renew;
    private final String listOwned;
    private final String release;

    JdbcLaneLeases(JdbcContext context) {
        this.context = context;
        this.transactions = context.transactions();
        this.members = new Members(context);
        Dialect dialect = context.dialect();
        TableName lane = context.tables().lane();
        this.listLanes = "SELECT lane, owner, epoch, %s AS remaining FROM %s ORDER BY lane"
                .formatted(dialect.microsUntil("lease_until"), lane);
        // One statement decides: of two takers the second waits for the row lock and then finds the lease running.
        this.take = """
                UPDATE %s SET owner = ?, epoch = epoch + 1, lease_until = %s
                WHERE lane = ? AND (owner IS NULL OR owner = ? OR lease_until <= %s)""".formatted(lane, dialect.nowPlusMicros(), dialect.now());
        this.readTaken = "SELECT epoch, scan_position FROM %s WHERE lane = ?".formatted(lane);
        this.renew = """
                UPDATE %s SET lease_until = %s, scan_position = ?
                WHERE lane = ? AND owner = ? AND epoch = ?""".formatted(lane, dialect.nowPlusMicros());
        this.listOwned = "SELECT lane, epoch FROM %s WHERE owner = ?".formatted(lane);
        this.release = """
                UPDATE %s SET owner = NULL, lease_until = NULL, scan_position = ?
                WHERE lane = ? AND owner = ? AND epoch = ?""".formatted(lane);
    }

    @Override
    public int heartbeat(String owner, Duration timeToLive) {
        return heartbeat(owner, timeToLive, "");
    }

    @Override
    public int heartbeat(String owner, Duration timeToLive, String report) {
        transactions.leaseIs(timeToLive);
        return transactions.inTransaction("record a heartbeat", c -> members.heartbeat(c, owner, timeToLive, report));
    }

    @Override
    public void leave(String owner) {
        transactions.run("leave the members", c -> members.remove(c, owner));
    }

    @Override
    public List<LaneState> lanes() {
        return transactions.inTransaction("list lanes", connection -> {
            try (SqlStatement statement = context.prepare(connection, listLanes)) {
                return statement.list(row -> new LaneState(
                        row.getInt("lane"),
                        Optional.ofNullable(row.getString("owner")),
                        row.getLong("epoch"),
                        Micros.toDuration(Math.max(0, row.getLong("remaining")))));
            }
        });
    }

    @Override
    public Optional<TakenLane> take(int lane, String owner, Duration timeToLive) {
        transactions.leaseIs(timeToLive);
        return transactions.inTransaction("take lane " + lane, connection -> {
            try (SqlStatement statement = context.prepare(connection, take)) {
                int taken = statement
                        .with(owner)
                        .with(timeToLive)
                        .with(lane)
                        .with(owner)
                        .update();
                return taken == 1 ? Optional.of(readTaken(connection, lane, owner)) : Optional.empty();
            }
        });
    }

    private TakenLane readTaken(Connection connection, int lane, String owner) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, readTaken)) {
            return statement
                    .with(lane)
                    .first(row -> new TakenLane(
                            new Lease(lane, owner, row.getLong("epoch")),
                            Optional.ofNullable(row.getString("scan_position"))))
                    .orElseThrow();
        }
    }

    @Override
    public Set<Integer> renew(Collection<Renewal> renewals, Duration timeToLive) {
        if (renewals.isEmpty()) {
            return Set.of();
        }
        transactions.leaseIs(timeToLive);
        return transactions.inTransaction("renew leases", connection -> {
            try (SqlStatement statement = context.prepare(connection, renew)) {
                for (Renewal renewal : byLane(renewals)) {
                    bindLease(statement.with(timeToLive), renewal);
                }
                statement.runBatch();
            }
            return stillOwned(connection, renewals);
        });
    }

    @Override
    public void release(Collection<Renewal> renewals) {
        if (renewals.isEmpty()) {
            return;
        }
        transactions.run("release leases", connection -> {
            try (SqlStatement statement = context.prepare(connection, release)) {
                for (Renewal renewal : byLane(renewals)) {
                    bindLease(statement, renewal);
                }
                statement.runBatch();
            }
        });
    }

    private static void bindLease(SqlStatement statement, Renewal renewal) throws SQLException {
        Lease lease = renewal.lease();
        statement
                .with(renewal.position())
                .with(lease.lane())
                .with(lease.owner())
                .with(lease.epoch())
                .addToBatch();
    }

    /** In one order for everybody, so that two relays cannot block each other. */
    private static List<Renewal> byLane(Collection<Renewal> renewals) {
        return renewals.stream()
                .sorted(Comparator.comparingInt(renewal -> renewal.lease().lane()))
                .toList();
    }

    /** Asks instead of trusting the row counts of a batch, which some drivers do not report. */
    private Set<Integer> stillOwned(Connection connection, Collection<Renewal> renewals) throws SQLException {
        Set<Lease> owned = new HashSet<>();
        for (String owner : owners(renewals)) {
            try (SqlStatement statement = context.prepare(connection, listOwned)) {
                owned.addAll(
                        statement.with(owner).list(row -> new Lease(row.getInt("lane"), owner, row.getLong("epoch"))));
            }
        }
        Set<Integer> renewed = new HashSet<>();
        renewals.stream().map(Renewal::lease).filter(owned::contains).forEach(lease -> renewed.add(lease.lane()));
        return renewed;
    }

    private static Set<String> owners(Collection<Renewal> renewals) {
        Set<String> owners = new HashSet<>();
        renewals.forEach(renewal -> owners.add(renewal.lease().owner()));
        return owners;
    }
}
