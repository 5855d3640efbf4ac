package dev.postrider.cli.demo;

import dev.postrider.prove.write.KeyChoice;
import dev.postrider.prove.write.LedgerEntry;
import dev.postrider.prove.write.WriterListener;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** The orders of the demo: three transactions of four place one, the others change one that was placed lately. Thread-safe. */
final class Orders implements KeyChoice, WriterListener {

    private static final int LATELY = 20;

    private final List<String> all;
    private final AtomicInteger begun = new AtomicInteger();
    private final Set<String> unplaced = ConcurrentHashMap.newKeySet();
    private final Map<String, Long> commitTimes = new ConcurrentHashMap<>();
    private final AtomicInteger transactions = new AtomicInteger();
    private final AtomicInteger rollbacks = new AtomicInteger();
    private final AtomicInteger savepointRollbacks = new AtomicInteger();

    Orders(int count) {
        this.all =
                IntStream.range(0, count).mapToObj(number -> "order-" + number).toList();
        unplaced.addAll(all);
    }

    @Override
    public List<String> all() {
        return all;
    }

    @Override
    public Collection<String> next(Random random) {
        boolean isChange = random.nextInt(4) == 0;
        int number = isChange ? Math.max(0, begun.get() - 1 - random.nextInt(LATELY)) : begun.getAndIncrement();
        // In the end those are left whose transactions were rolled back.
        return List.of(
                number < all.size()
                        ? all.get(number)
                        : unplaced.stream().findAny().orElse(all.get(0)));
    }

    @Override
    public void committed(List<LedgerEntry> entries) {
        long now = System.nanoTime();
        transactions.incrementAndGet();
        entries.forEach(entry -> {
            commitTimes.put(entry.id(), now);
            unplaced.remove(entry.key());
        });
    }

    @Override
    public void rolledBack() {
        rollbacks.incrementAndGet();
    }

    @Override
    public void rolledBackToSavepoint() {
        savepointRollbacks.incrementAndGet();
    }

    int placed() {
        return all.size() - unplaced.size();
    }

    boolean areAllPlaced() {
        return unplaced.isEmpty();
    }

    int events() {
        return commitTimes.size();
    }

    /** In monotonic nanoseconds, by message id; what a writer learnt after the message arrived may be later than its arrival. */
    Map<String, Long> commitTimes() {
        return commitTimes;
    }

    int transactions() {
        return transactions.get();
    }

    int rollbacks() {
        return rollbacks.get();
    }

    int savepointRollbacks() {
        return savepointRollbacks.get();
    }
}
