package dev.postrider.source;

import dev.postrider.source.Item.Standing;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.Maintenance;
import dev.postrider.spi.ProcessLeases;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Items that were given up, as far as this process remembers them. What operators and cleanups do with them is logged. */
record SourceDeadLetters<T>(Items<T> items, ProcessLeases leases) implements DeadLetters, Maintenance {

    private static final Logger LOG = LoggerFactory.getLogger(SourceOutboxStore.class);

    @Override
    public List<DeadLetter> list(DeadLetterFilter filter, Optional<DeadLetter> after, int limit) {
        long lastSeq = after.map(letter -> letter.ref().seq()).orElse(0L);
        synchronized (items) {
            return matching(filter)
                    .map(Item::deadLetter)
                    .filter(letter -> letter.ref().seq() > lastSeq)
                    .limit(limit)
                    .toList();
        }
    }

    private Stream<Item<T>> matching(DeadLetterFilter filter) {
        return items.all(Standing.DEAD).filter(item -> filter.matches(item.deadLetter()));
    }

    /** They are tried at once: the order is that of the memory, which is ours. */
    @Override
    public int requestRetry(DeadLetterFilter filter, int limit, String operator) {
        int letters = items.retry(
                Standing.DEAD,
                item -> item.reason != DeadReason.UNREADABLE && filter.matches(item.deadLetter()),
                limit);
        LOG.info("{} asked for a retry of {} dead letters of {}", operator, letters, items.name);
        return letters;
    }

    /** Acknowledges them, so that the source does not return them again. */
    @Override
    public int discard(DeadLetterFilter filter, int limit, String operator) {
        List<Item<T>> letters;
        synchronized (items) {
            letters = matching(filter).limit(limit).toList();
            letters.forEach(item -> item.standing = Standing.LEAVING);
        }
        try {
            items.acknowledge(letters);
        } finally {
            synchronized (items) {
                letters.forEach(item -> item.standing = Standing.DEAD);
            }
        }
        if (!letters.isEmpty()) {
            LOG.info("{} discarded {} dead letters of {}", operator, letters.size(), items.name);
        }
        return letters.size();
    }

    @Override
    public int deleteDeadLetters(Duration olderThan, int limit) {
        return discard(DeadLetterFilter.all().withDiedBefore(items.now().minus(olderThan)), limit, "cleanup");
    }

    @Override
    public boolean takeTask(String task, String owner, Duration timeToLive) {
        return leases.takeTask(task, owner, timeToLive);
    }

    @Override
    public void releaseTask(String task, String owner) {
        leases.releaseTask(task, owner);
    }
}
