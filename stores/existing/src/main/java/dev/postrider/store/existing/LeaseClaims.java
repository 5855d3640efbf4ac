package dev.postrider.store.existing;

import dev.postrider.spi.Lease;
import dev.postrider.spi.RowOutcome.Outcome;
import dev.postrider.store.existing.Candidates.Handed;
import dev.postrider.store.existing.RowReader.ReadRow;
import dev.postrider.store.jdbc.TransactionRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * Claims rows by writing into a column until when they are ours: no transaction is open while they are sent.
 *
 * <p>The end of a claim is also its fence. A row can be claimed again only after that time, so every later claim has a later
 * end, and whoever was stopped for too long finds another value than its own.
 */
final class LeaseClaims implements Claims {

    private final StatusTable table;
    private final RowReader reader;
    private final TransactionRunner transactions;
    private final TakenRows taken;
    private final Candidates candidates;
    private final Map<Long, String> tokens = new ConcurrentHashMap<>();
    /** Prolonging gives every row of a lane another token, so nobody may take or settle by the old one meanwhile. */
    private final ReadWriteLock prolonging = new ReentrantReadWriteLock(true);

    private volatile Duration length = Duration.ofSeconds(30);

    LeaseClaims(Parts<StatusTable> parts, Candidates candidates) {
        this.table = parts.rows();
        this.reader = parts.reader();
        this.transactions = parts.transactions();
        this.taken = parts.taken();
        this.candidates = candidates;
    }

    @Override
    public void leaseIs(Duration value) {
        transactions.leaseIs(value);
        length = value;
    }

    @Override
    public boolean mayTake(Set<Integer> lanes) {
        return true;
    }

    @Override
    public TakenBatch take(int lane, RowQuery find, long maxBytes) {
        try {
            return holding(prolonging.readLock(), () -> claim(lane, find, maxBytes));
        } finally {
            candidates.claimed(lane);
        }
    }

    private static <T> T holding(Lock lock, Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    private TakenBatch claim(int lane, RowQuery find, long maxBytes) {
        Claimed claimed = transactions.inTransaction("claim rows", connection -> {
            Handed found = candidates.next(connection, lane, find, maxBytes);
            List<ReadRow> rows = reader.lock(connection, table, found.rows());
            if (rows.isEmpty()) {
                return new Claimed(List.of(), "", found.isMore());
            }
            String token = table.claims().token(connection, length);
            table.claims()
                    .claim(
                            connection,
                            rows.stream().map(row -> row.head().key()).toList(),
                            token);
            return new Claimed(rows, token, found.isMore());
        });
        List<TakenRow> rows = new ArrayList<>();
        for (ReadRow row : claimed.rows()) {
            Taken one = taken.add(lane, row.head());
            tokens.put(one.seq(), claimed.token());
            rows.add(new TakenRow(one, row));
        }
        return new TakenBatch(rows, claimed.isMore());
    }

    private record Claimed(List<ReadRow> rows, String token, boolean isMore) {}

    @Override
    public boolean prolong(int lane, Duration time) {
        length = time;
        return holding(prolonging.writeLock(), () -> prolongAll(lane, time));
    }

    private boolean prolongAll(int lane, Duration time) {
        List<Taken> mine = taken.of(lane);
        if (mine.isEmpty()) {
            return true;
        }
        Map<String, List<Taken>> byToken = byToken(mine);
        Optional<String> renewed = transactions.inTransaction("prolong claims", connection -> {
            String token = table.claims().token(connection, time);
            for (Map.Entry<String, List<Taken>> claim : byToken.entrySet()) {
                boolean isAll = claim.getKey().equals(token)
                        || table.claims().prolong(connection, keys(claim.getValue()), claim.getKey(), token)
                                == claim.getValue().size();
                if (!isAll) {
                    return Optional.empty();
                }
            }
            return Optional.of(token);
        });
        renewed.ifPresent(token -> mine.forEach(one -> tokens.replace(one.seq(), token)));
        return renewed.isPresent();
    }

    @Override
    public void giveBack(List<Taken> rows) {
        if (!rows.isEmpty()) {
            holding(prolonging.readLock(), () -> release(rows));
        }
    }

    private int release(List<Taken> rows) {
        Map<String, List<Taken>> byToken = byToken(rows);
        transactions.run("give rows back", connection -> {
            for (Map.Entry<String, List<Taken>> claim : byToken.entrySet()) {
                table.claims().release(connection, keys(claim.getValue()), claim.getKey());
            }
        });
        rows.forEach(this::forget);
        return rows.size();
    }

    @Override
    public void settle(List<Settled> settled, Optional<Lease> lease) {
        holding(prolonging.readLock(), () -> record(settled));
    }

    private int record(List<Settled> settled) {
        Map<String, Map<RowKey, Outcome>> byToken = new HashMap<>();
        settled.forEach(one -> byToken.computeIfAbsent(tokenOf(one.taken()), token -> new LinkedHashMap<>())
                .put(one.taken().key(), one.outcome()));
        transactions.run("settle rows", connection -> {
            for (Map.Entry<String, Map<RowKey, Outcome>> outcomes : byToken.entrySet()) {
                table.apply(connection, outcomes.getValue(), Optional.of(outcomes.getKey()));
            }
        });
        settled.forEach(one -> forget(one.taken()));
        return settled.size();
    }

    private void forget(Taken one) {
        taken.remove(one);
        tokens.remove(one.seq());
    }

    private Map<String, List<Taken>> byToken(List<Taken> rows) {
        Map<String, List<Taken>> byToken = new HashMap<>();
        rows.forEach(one -> byToken.computeIfAbsent(tokenOf(one), token -> new ArrayList<>())
                .add(one));
        return byToken;
    }

    private String tokenOf(Taken one) {
        return tokens.getOrDefault(one.seq(), "1970-01-02 00:00:00");
    }

    private static List<RowKey> keys(List<Taken> rows) {
        return rows.stream().map(Taken::key).toList();
    }
}
