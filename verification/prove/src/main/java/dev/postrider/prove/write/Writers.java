package dev.postrider.prove.write;

import dev.postrider.prove.ProofException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;

/** Some writers at work. Close it, which ends them soon. Thread-safe. */
public final class Writers implements AutoCloseable {

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicBoolean isStopping = new AtomicBoolean();

    private Writers() {}

    /**
     * Starts them.
     *
     * @param chance of each writer by its number, so that one's choices do not change another's
     */
    public static Writers start(
            OutboxWithLedger target, WriterPlan plan, IntFunction<Random> chance, WriterListener listener) {
        Writers writers = new Writers();
        for (int number = 0; number < plan.writers(); number++) {
            Writer writer = new Writer(target, plan, chance.apply(number), listener, writers.isStopping);
            Thread thread = new Thread(writer, "prove-writer-" + number);
            thread.setDaemon(true);
            thread.start();
            writers.threads.add(thread);
        }
        return writers;
    }

    /** Lets every writer end its transaction. */
    public void stop() {
        isStopping.set(true);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new ProofException("Interrupted", interrupted);
            }
        }
    }

    @Override
    public void close() {
        isStopping.set(true);
    }
}
