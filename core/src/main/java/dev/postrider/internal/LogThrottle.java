package dev.postrider.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Keeps a log readable while something fails again and again: writes the first failure of a kind at once, then once in an interval how
 * many more there were, then the end. Each failure that it leaves out is written at debug.
 *
 * <p>A series ends when {@link #worked} is called, or when an interval passes without a failure. However often it begins and ends, a
 * kind gets its first and last lines once in an interval. Thread-safe. A timer of the JVM writes the counts.
 */
public final class LogThrottle {

    /** Long enough for few lines, short enough for somebody who watches. */
    public static final Duration INTERVAL = Duration.ofSeconds(30);

    /** Kinds beyond this number share one series: memory stays bounded. */
    static final int MOST_KINDS = 100;

    /** Writes one line of the log. */
    @FunctionalInterface
    public interface Line {

        /**
         * Writes it.
         *
         * @param level the level to write it at
         * @param note what to append to its text: empty, or how many failures there were
         */
        void write(Level level, String note);
    }

    private final Logger log;
    private final LongSupplier nanoTime;
    private final BiConsumer<Runnable, Duration> timer;
    private final Map<Object, Series> all = new HashMap<>();
    /** Spares those who work the lock. */
    private volatile boolean isEmpty = true;

    /** Writes to this log; {@link #failed} and {@link #worked} write wherever their lines do. */
    public LogThrottle(Logger log) {
        this(
                log,
                System::nanoTime,
                (task, delay) -> CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS)
                        .execute(task));
    }

    LogThrottle(Logger log, LongSupplier nanoTime, BiConsumer<Runnable, Duration> timer) {
        this.log = log;
        this.nanoTime = nanoTime;
        this.timer = timer;
    }

    /**
     * Tells of a failure with a text of the log, followed by the failure itself.
     *
     * @param kind what failures have in common that are counted together
     * @param text with a pair of braces for each argument
     */
    public void warn(Object kind, Throwable failure, String text, @Nullable Object... arguments) {
        failed(
                Level.WARN,
                kind,
                (level, note) -> write(
                        log.atLevel(level).setCause(trace(level, failure)), text + ": {}{}", arguments, failure, note));
    }

    /** The same where the text says it all. */
    public void warn(Object kind, String text, @Nullable Object... arguments) {
        failed(Level.WARN, kind, (level, note) -> write(log.atLevel(level), text + "{}", arguments, note));
    }

    private static void write(LoggingEventBuilder event, String text, @Nullable Object[] arguments, Object... more) {
        LoggingEventBuilder line = event.setMessage(text);
        for (Object argument : arguments) {
            line = line.addArgument(argument);
        }
        for (Object argument : more) {
            line = line.addArgument(argument);
        }
        line.log();
    }

    /**
     * Tells of a failure.
     *
     * @param level that of the lines that are not left out
     * @param kind what failures have in common that are counted together; compared by {@code equals}
     * @param line writes it; kept until the interval ends, so it should hold on to nothing large
     */
    public void failed(Level level, Object kind, Line line) {
        boolean isFirst;
        synchronized (this) {
            Object counted = all.size() < MOST_KINDS || all.containsKey(kind) ? kind : MOST_KINDS;
            Series series = all.get(counted);
            isFirst = series == null;
            if (series == null) {
                series = new Series(level, nanoTime.getAsLong());
                all.put(counted, series);
                isEmpty = false;
                lookLater(counted, series);
            }
            series.add(line, nanoTime.getAsLong(), isFirst);
        }
        line.write(isFirst ? level : Level.DEBUG, "");
    }

    /**
     * Tells that it works. The line is written if a failure was, at info, with a note such as {@code after 8 s, 553 failures}.
     *
     * @return whether it was written
     */
    public boolean worked(Object kind, Line line) {
        if (isEmpty) {
            return false;
        }
        String note;
        synchronized (this) {
            Series series = all.get(kind);
            if (series == null || series.isOver) {
                return false;
            }
            series.isOver = true;
            if (!series.isTold) {
                return false;
            }
            note = "after %s, %s"
                    .formatted(time(nanoTime.getAsLong() - series.first), Readable.count(series.failures, "failure"));
            series.untold = 0;
        }
        line.write(Level.INFO, note);
        return true;
    }

    /** Writes the counts that were not yet written, and forgets everything. */
    public void flush() {
        List<Runnable> lines = new ArrayList<>();
        synchronized (this) {
            all.values().forEach(series -> lines.add(series.count(nanoTime.getAsLong())));
            all.clear();
            isEmpty = true;
        }
        lines.forEach(Runnable::run);
    }

    private void lookLater(Object kind, Series series) {
        timer.accept(() -> look(kind, series), INTERVAL);
    }

    private void look(Object kind, Series series) {
        Runnable line;
        synchronized (this) {
            if (all.get(kind) != series) {
                return;
            }
            boolean goesOn = series.untold > 0 && !series.isOver;
            line = goesOn || series.isOver ? series.count(nanoTime.getAsLong()) : series.end();
            if (goesOn) {
                lookLater(kind, series);
            } else {
                all.remove(kind);
                isEmpty = all.isEmpty();
            }
        }
        line.run();
    }

    /**
     * The exception to show with a line: always at debug; else only what nobody expects, an error or a runtime exception of the
     * JDK itself, such as a {@code NullPointerException}. Drivers and clients of brokers throw their own when a server is away.
     */
    public static @Nullable Throwable trace(Level level, @Nullable Throwable failure) {
        return level.toInt() <= Level.DEBUG.toInt() || (failure != null && isUnexpected(failure)) ? failure : null;
    }

    private static boolean isUnexpected(Throwable failure) {
        String place = failure.getClass().getPackageName();
        return failure instanceof Error
                || (failure instanceof RuntimeException && (place.equals("java.lang") || place.equals("java.util")));
    }

    private static String time(long nanos) {
        return Readable.time(Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(nanos)));
    }

    /** Failures of a kind, from the first until it works or an interval passes without one. Guarded by the throttle. */
    private static final class Series {

        private static final Line NOTHING = (level, note) -> {};

        private final Level level;
        private long first;
        private long last;
        /** When its last line was written. */
        private long written;

        private long failures;
        private long untold;
        /** Whether a line told of it since it last worked. */
        private boolean isTold = true;

        private boolean isOver;
        private Line line = NOTHING;

        Series(Level level, long now) {
            this.level = level;
            this.first = now;
            this.written = now;
        }

        void add(Line newest, long now, boolean isWritten) {
            if (isOver) {
                isOver = false;
                isTold = false;
                first = now;
                failures = 0;
            }
            last = now;
            failures++;
            untold += isWritten ? 0 : 1;
            line = newest;
        }

        /** Tells how many there were since its last line. */
        Runnable count(long now) {
            if (untold == 0) {
                return () -> {};
            }
            String note = "; %s more like it in %s%s"
                    .formatted(Readable.grouped(untold), time(now - written), isOver ? ", it works now" : "");
            untold = 0;
            written = now;
            isTold = true;
            Line newest = line;
            return () -> newest.write(level, note);
        }

        /** Tells that there were no more. A single failure has said all. */
        Runnable end() {
            if (failures < 2) {
                return () -> {};
            }
            String note = "; this was the last of %s in %s".formatted(Readable.grouped(failures), time(last - first));
            Line newest = line;
            return () -> newest.write(Level.INFO, note);
        }
    }
}
