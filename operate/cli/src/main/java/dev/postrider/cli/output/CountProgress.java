package dev.postrider.cli.output;

import java.util.List;

/** Shows how many of an expected number are done, as often as the display wants it. Not thread-safe. */
public final class CountProgress {

    private final Progress progress;
    private final long expected;
    private long shownAt = System.nanoTime();

    public CountProgress(Progress progress, long expected) {
        this.progress = progress;
        this.expected = expected;
    }

    /** To be called after each one or each few. */
    public void show(long done) {
        if (System.nanoTime() - shownAt >= progress.interval().toNanos()) {
            shownAt = System.nanoTime();
            progress.show((double) done / Math.max(1, expected), List.of(done + " of " + expected));
        }
    }
}
