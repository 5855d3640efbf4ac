package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.Lane;
import dev.postrider.message.OutboxMessage;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Writers at one TiDB server and a relay at another of the same cluster. The embedded storage has one server only. */
@EnabledIfSystemProperty(named = "postrider.test.tidb", matches = "true", disabledReason = "TiDB only: .ci/tidb")
@EnabledIfEnvironmentVariable(
        named = "POSTRIDER_TEST_TIDB_SECOND",
        matches = ".+",
        disabledReason = "NOT RUN: needs two TiDB servers of one cluster, POSTRIDER_TEST_TIDB_URL and"
                + " POSTRIDER_TEST_TIDB_SECOND=host:port")
class TidbClusterIT extends InterleavedWriters {

    private static final int LANE = Lane.forKey("a", LANES);

    private HikariDataSource second;

    TidbClusterIT() {
        super(TestServer.MYSQL);
    }

    @BeforeEach
    void connect() {
        second = at(System.getenv("POSTRIDER_TEST_TIDB_SECOND"));
    }

    @Test
    void numbersOfBothServersAreDrawnInOneOrder() throws Exception {
        List<OutboxMessage> written = new ArrayList<>();
        for (int n = 0; n < 20; n++) {
            Connection writer = n % 2 == 0
                    ? begin(Connection.TRANSACTION_READ_COMMITTED)
                    : begin(second, Connection.TRANSACTION_READ_COMMITTED);
            OutboxMessage message = message("a");
            insert(writer, message);
            writer.commit();
            writer.close();
            written.add(message);
        }

        assertThat(new ScanSession(store, ALL).deliver())
                .containsExactlyElementsOf(
                        written.stream().map(OutboxMessage::id).toList());
    }

    /** The relay sees it in the list of the cluster, and no read shows its row. */
    @Test
    void anOpenTransactionOfTheOtherServerKeepsItsNumberInDoubt() throws Exception {
        ScanSession scan = new ScanSession(store, ALL);
        Connection writer = begin(second, Connection.TRANSACTION_REPEATABLE_READ);
        OutboxMessage late = message("a");
        insert(writer, late);
        commit("a");
        scan.letMarksMove();
        scan.settleAll();
        scan.fetchFor(60);
        assertThat(scan.position(LANE)).isZero();

        writer.commit();

        assertThat(scan.deliver()).containsExactly(late.id());
    }

    @Test
    void deliversOnceAndInOrderWhatIsWrittenThroughBothServers() throws Exception {
        store.execute("DROP TABLE business");
        List<BusinessWriters> writers = List.of(
                BusinessWriters.create(server, store.dataSource(), store.store()),
                BusinessWriters.join(server, second, store.store()));
        Deliveries deliveries = new Deliveries();
        TestRelay relay = new TestRelay(store.store(), store.scan(System::nanoTime), deliveries, 1);
        ALL.forEach(relay::give);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(9);
        List<Callable<Object>> tasks = new ArrayList<>();
        IntStream.range(0, 8)
                .forEach(n -> tasks.add(() -> {
                    writers.get(n % 2).write(deadline, System.nanoTime() + n);
                    return n;
                }));
        tasks.add(() -> {
            relay.run(deadline, TimeUnit.SECONDS.toNanos(4));
            return "relay";
        });
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            for (Future<Object> task : threads.invokeAll(tasks)) {
                task.get();
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(deliveries.faults(writers.get(0).committed())).isEmpty();
        assertThat(deliveries.count()).isGreaterThan(100);
    }
}
