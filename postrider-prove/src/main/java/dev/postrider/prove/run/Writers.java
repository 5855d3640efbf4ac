package dev.postrider.prove.run;

import dev.postrider.Outbox;
import dev.postrider.prove.ProofException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** Some writers at work, each with a random sequence of its own. */
final class Writers implements AutoCloseable {

    private static final int WRITERS = 6;

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong commits = new AtomicLong();
    private final AtomicBoolean isStopping = new AtomicBoolean();

    Writers(DataSource dataSource, Outbox outbox, Ledger ledger, List<String> keys, long seed) {
        for (int number = 0; number < WRITERS; number++) {
            Random random = new Random(seed * WRITERS + number);
            Writer writer = new Writer(dataSource, outbox, ledger, keys, random, commits, isStopping);
            Thread thread = new Thread(writer, "prove-writer-" + number);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    /** How many transactions were committed, as far as the writers know. */
    long commits() {
        return commits.get();
    }

    /** Lets every writer end its transaction. */
    void stop() {
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
