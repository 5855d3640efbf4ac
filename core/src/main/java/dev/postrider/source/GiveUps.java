package dev.postrider.source;

import dev.postrider.message.MessageId;
import dev.postrider.source.Tracked.Dead;
import java.time.Duration;
import java.util.Set;

/** Tells the source of items that were given up, again and again until it has understood. */
final class GiveUps<T> {

    private static final long RETRY_NANOS = Duration.ofSeconds(10).toNanos();

    private final SourceCalls<T> source;
    private final SourceMemory<T> memory;
    private volatile boolean hasOwed;
    private volatile long retryAt;

    GiveUps(SourceCalls<T> source, SourceMemory<T> memory) {
        this.source = source;
        this.memory = memory;
    }

    /** Makes the item a dead letter. */
    void giveUp(Tracked<T> tracked, Dead dead) {
        memory.change(tracked, dead);
        tell(tracked, dead);
    }

    /** Tells of those that are still owed, as far as the source still returns them. */
    void retry(Set<MessageId> returned) {
        if (!hasOwed || memory.nanos() - retryAt < 0) {
            return;
        }
        hasOwed = false;
        memory.all().filter(tracked -> returned.contains(tracked.item().id())).forEach(tracked -> {
            if (tracked.standing() instanceof Dead dead && dead.isOwed()) {
                tell(tracked, dead);
            }
        });
    }

    private void tell(Tracked<T> tracked, Dead dead) {
        boolean isTold = source.giveUp(tracked.item().value(), dead.reason(), dead.error());
        if (!isTold) {
            hasOwed = true;
            retryAt = memory.nanos() + RETRY_NANOS;
        }
        if (dead.isOwed() == isTold) {
            memory.change(tracked, dead.withOwed(!isTold));
        }
    }
}
