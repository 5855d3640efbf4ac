package dev.postrider.source;

import dev.postrider.source.Tracked.Standing;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.DeadReason;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Items that were given up, as far as this process remembers them. What operators do is logged. */
final class SourceDeadLetters<T> implements DeadLetters {

    private static final Logger LOG = LoggerFactory.getLogger(SourceOutboxStore.class);

    private final SourceCalls<T> source;
    private final SourceMemory<T> memory;

    SourceDeadLetters(SourceCalls<T> source, SourceMemory<T> memory) {
        this.source = source;
        this.memory = memory;
    }

    @Override
    public List<DeadLetter> list(DeadLetterFilter filter, Optional<DeadLetter> after, int limit) {
        long lastSeq = after.map(letter -> letter.ref().seq()).orElse(0L);
        return matching(filter)
                .filter(tracked -> tracked.seq > lastSeq)
                .limit(limit)
                .map(Tracked::deadLetter)
                .toList();
    }

    @Override
    public long count(DeadLetterFilter filter, long atMost) {
        return matching(filter).limit(atMost).count();
    }

    /** They are tried at once: the order is that of the memory, which is ours. */
    @Override
    public int requestRetry(DeadLetterFilter filter, int limit, String operator) {
        List<Tracked<T>> letters;
        synchronized (memory) {
            letters = matching(filter)
                    .filter(tracked -> tracked.reason != DeadReason.UNREADABLE)
                    .limit(limit)
                    .toList();
            letters.forEach(tracked -> tracked.revive(memory.nanos()));
        }
        LOG.info("{} asked for a retry of {} dead letters of {}", operator, letters.size(), source.name());
        return letters.size();
    }

    /** Acknowledges them, so that the source does not return them again. */
    @Override
    public int discard(DeadLetterFilter filter, int limit, String operator) {
        List<Tracked<T>> letters;
        synchronized (memory) {
            letters = matching(filter).limit(limit).toList();
            letters.forEach(tracked -> tracked.isLeaving = true);
        }
        try {
            source.acknowledge(letters);
            memory.forget(letters);
        } finally {
            synchronized (memory) {
                letters.forEach(tracked -> tracked.isLeaving = false);
            }
        }
        if (!letters.isEmpty()) {
            LOG.info("{} discarded {} dead letters of {}", operator, letters.size(), source.name());
        }
        return letters.size();
    }

    private Stream<Tracked<T>> matching(DeadLetterFilter filter) {
        synchronized (memory) {
            return memory
                    .all(Standing.DEAD)
                    .filter(tracked -> !tracked.isLeaving && filter.matches(tracked.deadLetter()))
                    .toList()
                    .stream();
        }
    }
}
