package dev.postrider.store.existing;

import dev.postrider.spi.KnownRows;
import dev.postrider.spi.RowRef;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The rows in the hands of this process, by the seq under which the relay knows them.
 *
 * <p>A row whose lane was lost stays for some minutes: it may still be in flight, and must be found if it was delivered.
 * Thread-safe.
 */
final class TakenRows {

    private static final long KEPT_NANOS = Duration.ofMinutes(10).toNanos();

    private final Map<Long, Taken> rows = new ConcurrentHashMap<>();
    private final Map<Long, Long> orphans = new ConcurrentHashMap<>();
    private final Set<RowKey> settling = ConcurrentHashMap.newKeySet();
    private final AtomicLong lastSeq = new AtomicLong();

    Taken add(int lane, Head head) {
        Taken taken = new Taken(lastSeq.incrementAndGet(), lane, head);
        rows.put(taken.seq(), taken);
        return taken;
    }

    Optional<Taken> find(RowRef ref) {
        return Optional.ofNullable(rows.get(ref.seq()));
    }

    void remove(Taken taken) {
        rows.remove(taken.seq());
        orphans.remove(taken.seq());
    }

    /** It is settled, and nobody is to take it again until that is recorded. */
    void settling(Taken taken) {
        settling.add(taken.key());
        remove(taken);
    }

    /** What became of these is recorded, or cannot be. */
    void settled(Collection<RowKey> keys) {
        settling.removeAll(keys);
    }

    /** Those that nobody of this process may take now. */
    Set<RowKey> keys() {
        Set<RowKey> keys = new HashSet<>();
        // In this order: a row that is settled now is there before it is gone from here.
        rows.values().forEach(taken -> keys.add(taken.key()));
        keys.addAll(settling);
        return keys;
    }

    /** The keys of messages that other lanes have, or had when they were lost. */
    Set<String> messageKeysOfOthers(int lane) {
        Set<String> keys = new HashSet<>();
        for (Taken taken : rows.values()) {
            if (taken.lane() != lane) {
                taken.messageKey().ifPresent(keys::add);
            }
        }
        return keys;
    }

    /** In order of their seqs, without those whose lane is gone. */
    List<Taken> of(int lane) {
        return rows.values().stream()
                .filter(taken -> taken.lane() == lane && !orphans.containsKey(taken.seq()))
                .sorted(Comparator.comparingLong(Taken::seq))
                .toList();
    }

    /** Those of these lanes that the relay has dropped. */
    List<Taken> unknown(Set<Integer> lanes, KnownRows known) {
        return rows.values().stream()
                .filter(taken -> lanes.contains(taken.lane()) && !orphans.containsKey(taken.seq()))
                .filter(taken -> !known.contains(taken.lane(), taken.seq()))
                .toList();
    }

    /** The lane of these rows is gone. */
    void orphan(Collection<Taken> gone) {
        long now = System.nanoTime();
        gone.forEach(taken -> orphans.put(taken.seq(), now));
        orphans.forEach((seq, since) -> {
            if (now - since > KEPT_NANOS) {
                orphans.remove(seq);
                rows.remove(seq);
            }
        });
    }
}
