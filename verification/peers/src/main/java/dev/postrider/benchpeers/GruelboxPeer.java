package dev.postrider.benchpeers;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import dev.postrider.bench.store.BenchDatabase;
import dev.postrider.service.database.DatabaseKind;
import java.util.List;

/**
 * gruelbox transaction-outbox: deferred calls of methods. Its calls are submitted from memory right after the commit, which is
 * the shortest of its ways: what its {@code flush()} finds in the table costs one update more.
 */
final class GruelboxPeer implements Peer {

    private static final int THREADS = 16;

    @Override
    public String name() {
        return "gruelbox";
    }

    @Override
    public String settings() {
        return "unordered, submitted after commit to " + THREADS + " threads with room for the whole backlog";
    }

    @Override
    public List<String> tables() {
        return List.of("TXNO_OUTBOX", "TXNO_VERSION");
    }

    @Override
    public PeerOutbox open(BenchDatabase database, Deliveries deliveries) {
        HoldingExecutor executor = new HoldingExecutor(THREADS);
        TransactionManager transactions = TransactionManager.fromDataSource(database.dataSource());
        Dialect dialect = database.kind() == DatabaseKind.POSTGRES ? Dialect.POSTGRESQL_9 : Dialect.MY_SQL_8;
        Sink sink = deliveries::accept;
        TransactionOutbox outbox = TransactionOutbox.builder()
                .transactionManager(transactions)
                .persistor(Persistor.forDialect(dialect))
                .instantiator(Instantiator.using(type -> sink))
                .submitter(Submitter.withExecutor(executor))
                .build();
        return new Opened(database, transactions, outbox, executor);
    }

    /** What is called instead of a broker. Public, because it is called by reflection. */
    public interface Sink {
        void accept(String payload);
    }

    private record Opened(
            BenchDatabase database, TransactionManager transactions, TransactionOutbox outbox, HoldingExecutor executor)
            implements PeerOutbox {

        @Override
        public void enqueue(List<PeerMessage> messages) {
            transactions.inTransaction(() -> {
                for (PeerMessage message : messages) {
                    outbox.schedule(Sink.class).accept(message.payload());
                }
            });
        }

        @Override
        public void deliver() {
            executor.open();
        }

        @Override
        public long pending() throws Exception {
            return database.number("SELECT count(*) FROM TXNO_OUTBOX WHERE NOT processed");
        }

        @Override
        public void close() {
            executor.close();
        }
    }
}
