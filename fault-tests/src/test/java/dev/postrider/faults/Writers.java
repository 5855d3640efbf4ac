package dev.postrider.faults;

import dev.postrider.Outbox;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/** A few writers at work. */
final class Writers implements AutoCloseable {

    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Sent> confirmed = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isStopping = new AtomicBoolean();

    private Writers() {}

    static Writers start(DataSource dataSource, Outbox outbox, WriterPlan plan) {
        Writers writers = new Writers();
        for (int i = 0; i < plan.writers(); i++) {
            String name = "writer-" + i;
            Writer writer =
                    new Writer(dataSource, outbox, plan, Seed.random(name), writers.confirmed, writers.isStopping);
            writers.threads.add(Threads.start(name, writer));
        }
        return writers;
    }

    /** The messages of transactions whose commit returned. */
    Collection<Sent> confirmed() {
        return confirmed;
    }

    /** Lets every writer end its transaction. */
    void stop() {
        isStopping.set(true);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(interrupted);
            }
        }
    }

    @Override
    public void close() {
        isStopping.set(true);
    }
}
