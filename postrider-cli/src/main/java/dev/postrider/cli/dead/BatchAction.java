package dev.postrider.cli.dead;

import dev.postrider.cli.output.CountProgress;
import dev.postrider.cli.output.Progress;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.DeadLetters.DeadLetter;
import java.util.Iterator;

/** Does one thing to many dead letters, a batch at a time, and shows how far it is. */
public final class BatchAction {

    private static final int BATCH = 500;

    /** What is done to those that match, at most so many; returns how many it was done to. */
    @FunctionalInterface
    public interface Step {
        int run(DeadLetters letters, DeadLetterFilter filter, int limit);
    }

    private final Step step;
    private final Progress progress;

    public BatchAction(Step step, Progress progress) {
        this.step = step;
        this.progress = progress;
    }

    /**
     * Runs it for so many at most.
     *
     * @return how many it was done to
     */
    public long run(Selection selection, long limit) {
        CountProgress shown = new CountProgress(progress, limit);
        return selection.isExact() ? byFilter(selection, limit, shown) : oneByOne(selection, limit, shown);
    }

    private long byFilter(Selection selection, long limit, CountProgress shown) {
        long done = 0;
        while (done < limit) {
            int batch = (int) Math.min(BATCH, limit - done);
            int changed = step.run(selection.letters(), selection.filter(), batch);
            done += changed;
            shown.show(done);
            if (changed < batch) {
                break;
            }
        }
        return done;
    }

    private long oneByOne(Selection selection, long limit, CountProgress shown) {
        long done = 0;
        Iterator<DeadLetter> letters = selection.iterator();
        while (done < limit && letters.hasNext()) {
            DeadLetterFilter one = DeadLetterFilter.byId(letters.next().ref().id());
            done += step.run(selection.letters(), one, 1);
            shown.show(done);
        }
        return done;
    }
}
