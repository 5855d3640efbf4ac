package dev.postrider.message;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.Objects;

/**
 * UUIDv7 ids that grow strictly within one generator.
 *
 * <p>48 bits of milliseconds, a 12-bit counter and 62 random bits. The counter starts at a random value below half of its
 * range each millisecond. When it runs over, or when the clock stands still or steps back, the generator counts on from
 * the last millisecond it used and never waits: ids stay unique and growing, and run ahead of the clock by as little as the
 * load demands. Thread-safe.
 */
public final class UuidV7Generator implements MessageIdGenerator {

    static final UuidV7Generator SYSTEM = new UuidV7Generator(Clock.systemUTC());

    private static final int COUNTER_LIMIT = 1 << 12;
    private static final int COUNTER_START_LIMIT = COUNTER_LIMIT / 2;
    private static final long VERSION_7 = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;
    private static final long RANDOM_BITS = 0x3FFF_FFFF_FFFF_FFFFL;

    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    private long lastMillis;
    private int counter;

    public UuidV7Generator(Clock clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    @Override
    public MessageId next() {
        long timeAndCounter = nextTimeAndCounter(random.nextInt(COUNTER_START_LIMIT));
        return new MessageId(timeAndCounter, VARIANT | (random.nextLong() & RANDOM_BITS));
    }

    private synchronized long nextTimeAndCounter(int counterStart) {
        long now = clock.millis();
        if (now > lastMillis) {
            lastMillis = now;
            counter = counterStart;
        } else if (++counter == COUNTER_LIMIT) {
            // Borrowing the next millisecond instead of waiting for it: a clock set back by an hour must not stop
            // writers.
            lastMillis++;
            counter = counterStart;
        }
        return lastMillis << 16 | VERSION_7 | counter;
    }
}
