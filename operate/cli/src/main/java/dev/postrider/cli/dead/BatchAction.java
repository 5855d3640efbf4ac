package dev.postrider.cli.dead;

import dev.postrider.cli.output.CountProgress;
import dev.postrider.cli.output.Progress;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeadLetters.Requested;
import dev.postrider.spi.RowRef;
import java.util.Iterator;
import java.util.Optional;

/** Does one thing to many dead letters, a batch at a time, and shows how far it is. */
public final class BatchAction {

    private static final int BATCH = 500;

    /** What is done to those that match and lie behind a letter, if one is given; at most so many. */
    @FunctionalInterface
    public interface Step {
        Requested run(DeadLetters letters, DeadLetterFilter filter, Optional<RowRef> after, int limit);
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
        Optional<RowRef> last = Optional.empty();
        while (done < limit) {
            int batch = (int) Math.min(BATCH, limit - done);
            Requested changed = step.run(selection.letters(), selection.filter(), last, batch);
            done += changed.count();
            last = changed.last();
            shown.show(done);
            if (changed.count() < batch) {
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
            done += step.run(selection.letters(), one, Optional.empty(), 1).count();
            shown.show(done);
        }
        return done;
    }
}
