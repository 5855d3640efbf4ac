package dev.postrider.source;

import dev.postrider.message.MessageId;
import dev.postrider.source.Tracked.Dead;
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
        return matching(filter)
                .filter(tracked ->
                        after.isEmpty() || tracked.seq() > after.get().ref().seq())
                .limit(limit)
                .map(SourceDeadLetters::letter)
                .toList();
    }

    @Override
    public Optional<DeadLetter> find(MessageId id) {
        return list(DeadLetterFilter.byId(id), Optional.empty(), 1).stream().findFirst();
    }

    @Override
    public long count(DeadLetterFilter filter, long atMost) {
        return matching(filter).limit(atMost).count();
    }

    @Override
    public int requestRetry(DeadLetterFilter filter, int limit, String operator) {
        int count = 0;
        synchronized (memory) {
            for (Tracked<T> tracked : matching(filter).toList()) {
                Dead dead = (Dead) tracked.standing();
                if (count < limit && !dead.retryRequested() && dead.reason() != DeadReason.UNREADABLE) {
                    memory.change(tracked, dead.withRetryRequested());
                    count++;
                }
            }
        }
        LOG.info("{} asked for a retry of {} dead letters of {}", operator, count, source.name());
        return count;
    }

    /** Acknowledges them, so that the source does not return them again. */
    @Override
    public int discard(DeadLetterFilter filter, int limit, String operator) {
        List<Tracked<T>> letters;
        synchronized (memory) {
            letters = matching(filter).limit(limit).toList();
            letters.forEach(tracked -> mark(tracked, true));
        }
        try {
            source.acknowledge(
                    letters.stream().map(tracked -> tracked.item().value()).toList());
        } catch (RuntimeException failure) {
            letters.forEach(tracked -> mark(tracked, false));
            throw failure;
        }
        letters.forEach(tracked -> memory.forget(tracked.item().id()));
        if (!letters.isEmpty()) {
            LOG.info("{} discarded {} dead letters of {}", operator, letters.size(), source.name());
        }
        return letters.size();
    }

    /** While it is being discarded nobody may put it back into held, and a fetch must still know it. */
    private void mark(Tracked<T> tracked, boolean isLeaving) {
        memory.change(tracked, ((Dead) tracked.standing()).withLeaving(isLeaving));
    }

    private Stream<Tracked<T>> matching(DeadLetterFilter filter) {
        return memory.all()
                .filter(tracked -> tracked.standing() instanceof Dead dead && !dead.isLeaving())
                .filter(tracked -> matches(letter(tracked), filter))
                .sorted(Tracked.BY_SEQ);
    }

    private static DeadLetter letter(Tracked<?> tracked) {
        return tracked.deadLetter((Dead) tracked.standing());
    }

    private static boolean matches(DeadLetter letter, DeadLetterFilter filter) {
        return isOrAbsent(filter.id(), letter.message().id())
                && isOrAbsent(filter.topic(), letter.message().topic())
                && isOrAbsent(filter.type(), letter.message().type())
                && (filter.key().isEmpty()
                        || filter.key().equals(letter.message().key()))
                && isOrAbsent(filter.reason(), letter.reason())
                && filter.diedAfter().map(letter.diedAt()::isAfter).orElse(true)
                && filter.diedBefore().map(letter.diedAt()::isBefore).orElse(true);
    }

    private static <V> boolean isOrAbsent(Optional<V> wanted, V value) {
        return wanted.isEmpty() || wanted.get().equals(value);
    }
}
