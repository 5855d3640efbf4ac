package dev.postrider.service.operation;

import dev.postrider.internal.DaemonThreads;
import dev.postrider.spi.RowRef;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Jobs over dead letters in this process: a few at a time, the last ones remembered. Thread-safe; close it. */
public final class DeadJobs implements AutoCloseable {

    /** How many dead letters one job takes; what is remembered of each must fit into a small heap. */
    public static final int LARGEST = 100_000;

    private static final int AT_ONCE = 2;
    private static final int REMEMBERED = 50;

    private final ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE, new DaemonThreads("postrider-job"));
    private final Deque<DeadJob> jobs = new ArrayDeque<>();

    /** Begins a job over these letters, and no other. */
    public DeadJob start(DeadJob.Order order, Selection selection, List<RowRef> meant) {
        DeadJob job = new DeadJob(UUID.randomUUID().toString(), order, selection, meant);
        synchronized (jobs) {
            jobs.addFirst(job);
            if (jobs.size() > REMEMBERED && jobs.peekLast().state() != DeadJob.State.RUNNING) {
                jobs.removeLast();
            }
        }
        threads.execute(job::run);
        return job;
    }

    /** The latest first. */
    public List<DeadJob> all() {
        synchronized (jobs) {
            return List.copyOf(jobs);
        }
    }

    public Optional<DeadJob> find(String id) {
        return all().stream().filter(job -> job.id().equals(id)).findFirst();
    }

    /** Cancels what runs; a batch that has begun is finished. */
    @Override
    public void close() {
        all().forEach(DeadJob::cancel);
        threads.shutdown();
    }
}
