package dev.postrider.benchpeers;

import dev.postrider.bench.store.BenchDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.annotations.Job;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;

/**
 * JobRunr: each message is a job. Its free edition cannot join a transaction; what is enqueued at once is one of its own.
 */
final class JobrunrPeer implements Peer {

    private static final int WORKERS = 32;
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);

    @Override
    public String name() {
        return "jobrunr";
    }

    @Override
    public String settings() {
        return "%d workers, poll interval %d s (the smallest), jobs enqueued as a stream, no dashboard"
                .formatted(WORKERS, POLL_INTERVAL.toSeconds());
    }

    @Override
    public int divisor() {
        return 20;
    }

    @Override
    public List<String> tables() {
        return List.of(
                "jobrunr_jobs",
                "jobrunr_recurring_jobs",
                "jobrunr_backgroundjobservers",
                "jobrunr_metadata",
                "jobrunr_migrations");
    }

    @Override
    public List<String> views() {
        return List.of("jobrunr_jobs_stats");
    }

    @Override
    public PeerOutbox open(BenchDatabase database, Deliveries deliveries) {
        Handler handler = new Handler(deliveries);
        var configured = JobRunr.configure()
                .useJobActivator(new Activator(handler))
                .useStorageProvider(SqlStorageProviderFactory.using(database.dataSource()))
                .useBackgroundJobServer(
                        BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                                .andWorkerCount(WORKERS)
                                .andPollInterval(POLL_INTERVAL),
                        false)
                .initialize();
        return new Opened(database, configured.getJobRequestScheduler(), configured.getBackgroundJobServer());
    }

    /** A job: what to deliver, and by whom. Public, as the handler, because JobRunr looks for them by reflection. */
    public record Message(String payload) implements JobRequest {
        @Override
        public Class<Handler> getJobRequestHandler() {
            return Handler.class;
        }
    }

    /** Its jobs have a name, or the payload would be stored once more in it. */
    public record Handler(Deliveries deliveries) implements JobRequestHandler<Message> {
        @Override
        @Job(name = "message")
        public void run(Message message) {
            deliveries.accept(message.payload());
        }
    }

    private record Activator(Handler handler) implements JobActivator {
        @Override
        public <T> T activateJob(Class<T> type) {
            return type.cast(handler);
        }
    }

    private record Opened(BenchDatabase database, JobRequestScheduler scheduler, BackgroundJobServer server)
            implements PeerOutbox {

        @Override
        public void enqueue(List<PeerMessage> messages) {
            scheduler.enqueue(messages.stream().map(message -> new Message(message.payload())));
        }

        @Override
        public void deliver() {
            server.start();
        }

        @Override
        public long pending() throws SQLException {
            return database.number("SELECT count(*) FROM jobrunr_jobs WHERE state <> 'SUCCEEDED'");
        }

        @Override
        public void close() {
            JobRunr.destroy();
        }
    }
}
