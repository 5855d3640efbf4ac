package dev.postrider.service.operation;

import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.RowRef;
import java.util.List;
import java.util.function.LongConsumer;

/** Does one thing to many dead letters, a batch at a time, and tells how far it is. */
public final class BatchAction {

    static final int BATCH = 500;

    /** What is done to those of a batch that still match; returns how many. */
    @FunctionalInterface
    public interface Step {
        int run(DeadLetters letters, DeadLetterFilter filter, List<RowRef> batch);
    }

    private final Step step;
    private final LongConsumer progress;
    private final int size;

    /** @param progress is told after each batch how many are done */
    public BatchAction(Step step, LongConsumer progress) {
        this(step, progress, BATCH);
    }

    private BatchAction(Step step, LongConsumer progress, int size) {
        this.step = step;
        this.progress = progress;
        this.size = size;
    }

    /** The same with batches of at most this size. */
    public BatchAction inBatchesOf(int most) {
        return new BatchAction(step, progress, Math.max(1, Math.min(most, BATCH)));
    }

    /**
     * Runs it for these letters of the selection, and for no other.
     *
     * @return how many it was done to
     */
    public long run(Selection selection, List<RowRef> meant) {
        long done = 0;
        int most = selection.batchSize(size);
        for (int from = 0; from < meant.size(); from += most) {
            List<RowRef> batch = meant.subList(from, Math.min(from + most, meant.size()));
            done += step.run(selection.letters(), selection.filter(batch), batch);
            progress.accept(done);
        }
        return done;
    }
}
