package dev.postrider.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How much of a scenario is done in which time. It begins when it is made. Without a limit everything is done; with one, as much as
 * fits into it, so that a slow machine does less and does not take longer. For one thread.
 */
public final class Pace {

    private static final Duration UNLIMITED = Duration.ofDays(365);

    private final long start = System.nanoTime();
    private final Size size;
    private final Size full;
    private final Optional<Duration> limit;
    private final List<Double> done = new ArrayList<>();
    private Duration warmUp;

    /**
     * @param size what is to be done at most
     * @param full what is done without any haste
     * @param limit how long all may take
     * @param warmUp how long the first warm-up takes at least; those after it find warm code and are one round
     */
    public Pace(Size size, Size full, Optional<Duration> limit, Duration warmUp) {
        this.size = size;
        this.full = full;
        this.limit = limit;
        this.warmUp = warmUp;
    }

    /** Does all of this, after a warm-up of one round. */
    public static Pace of(Size size) {
        return new Pace(size, size, Optional.empty(), Duration.ZERO);
    }

    /** Whether there is a limit. */
    public boolean isLimited() {
        return limit.isPresent();
    }

    /** How long it has taken until now. */
    public Duration used() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** How much of the time is left; never negative. */
    public Duration left() {
        Duration left = limit.orElse(UNLIMITED).minus(used());
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Begins a contest, which has this share of the time that is left; whether it can have smaller rounds. */
    RoundSchedule begin(double share, boolean isScalable) {
        long counting = Math.max(0, left().minus(warmUp).toNanos());
        Duration time = warmUp.plusNanos((long) (counting * share));
        RoundSchedule schedule = new RoundSchedule(size, isLimited() && isScalable, warmUp, time);
        warmUp = Duration.ZERO;
        return schedule;
    }

    /** Records that each subject delivered this many messages in what counts of a part of the scenario. */
    public void did(long messages) {
        done.add((double) messages / full.work());
    }

    /** The share of the full work that was done, on average of all parts; before any has ended, the share that is wanted. */
    public double scale() {
        return done.stream().mapToDouble(Double::doubleValue).average().orElse((double) size.work() / full.work());
    }
}
