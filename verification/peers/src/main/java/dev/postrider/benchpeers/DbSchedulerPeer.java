package dev.postrider.benchpeers;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import dev.postrider.bench.store.BenchDatabase;
import dev.postrider.service.database.DatabaseKind;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/** db-scheduler: each message is a task that runs once. It joins a transaction by Spring's proxy, as its documentation says. */
final class DbSchedulerPeer implements Peer {

    private static final int THREADS = 20;
    private static final double FETCH_BELOW = 4;
    private static final double FETCH_UP_TO = 20;

    @Override
    public String name() {
        return "db-scheduler";
    }

    @Override
    public String settings() {
        return "lock-and-fetch below %.0f up to %.0f executions a thread, %d threads, polling every 100 ms, scheduleBatch"
                .formatted(FETCH_BELOW, FETCH_UP_TO, THREADS);
    }

    @Override
    public List<String> tables() {
        return List.of("scheduled_tasks");
    }

    @Override
    public PeerOutbox open(BenchDatabase database, Deliveries deliveries) throws SQLException {
        createTable(database);
        OneTimeTask<String> task = Tasks.oneTime("message", String.class)
                .execute((instance, context) -> deliveries.accept(instance.getData()));
        Scheduler scheduler = Scheduler.create(new TransactionAwareDataSourceProxy(database.dataSource()), task)
                .threads(THREADS)
                .pollUsingLockAndFetch(FETCH_BELOW, FETCH_UP_TO)
                .pollingInterval(Duration.ofMillis(100))
                .alwaysPersistTimestampInUTC()
                .build();
        TransactionTemplate transactions =
                new TransactionTemplate(new DataSourceTransactionManager(database.dataSource()));
        return new Opened(database, transactions, task, scheduler);
    }

    /** The columns that it needs, and its two indexes that are of use without priorities. */
    private static void createTable(BenchDatabase database) throws SQLException {
        boolean isPostgres = database.kind() == DatabaseKind.POSTGRES;
        String time = isPostgres ? "TIMESTAMP WITH TIME ZONE" : "TIMESTAMP(6)";
        database.execute("""
                CREATE TABLE scheduled_tasks (
                  task_name VARCHAR(100) NOT NULL,
                  task_instance VARCHAR(100) NOT NULL,
                  task_data %2$s,
                  execution_time %1$s NULL,
                  picked BOOLEAN NOT NULL,
                  picked_by VARCHAR(50),
                  last_success %1$s NULL,
                  last_failure %1$s NULL,
                  consecutive_failures INT,
                  last_heartbeat %1$s NULL,
                  version BIGINT NOT NULL,
                  priority SMALLINT,
                  state VARCHAR(50),
                  PRIMARY KEY (task_name, task_instance))""".formatted(time, isPostgres ? "bytea" : "BLOB"));
        database.execute("CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)");
        database.execute("CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");
    }

    private record Opened(
            BenchDatabase database, TransactionTemplate transactions, OneTimeTask<String> task, Scheduler scheduler)
            implements PeerOutbox {

        @Override
        public void enqueue(List<PeerMessage> messages) {
            List<TaskInstance<?>> instances = new ArrayList<>();
            for (PeerMessage message : messages) {
                instances.add(task.instance(Integer.toString(message.number()), message.payload()));
            }
            transactions.executeWithoutResult(transaction -> scheduler.scheduleBatch(instances, Instant.now()));
        }

        @Override
        public void deliver() {
            scheduler.start();
        }

        @Override
        public long pending() throws SQLException {
            return database.number("SELECT count(*) FROM scheduled_tasks");
        }

        @Override
        public void close() {
            scheduler.stop();
        }
    }
}
