package dev.postrider.faults;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * A service: transaction after transaction it locks one to three keys, enqueues messages for them, and commits, mostly. Some
 * transactions are slow, some roll back, wholly or to a savepoint, and both usual isolation levels occur.
 */
final class Writer implements Runnable {

    private static final Duration AFTER_FAILURE = Duration.ofMillis(50);
    private static final int MOST_KEYS = 3;

    private final DataSource dataSource;
    private final Outbox outbox;
    private final WriterPlan plan;
    private final Random random;
    private final Collection<Sent> confirmed;
    private final AtomicBoolean isStopping;

    Writer(
            DataSource dataSource,
            Outbox outbox,
            WriterPlan plan,
            Random random,
            Collection<Sent> confirmed,
            AtomicBoolean isStopping) {
        this.dataSource = dataSource;
        this.outbox = outbox;
        this.plan = plan;
        this.random = random;
        this.confirmed = confirmed;
        this.isStopping = isStopping;
    }

    @Override
    public void run() {
        while (!isStopping.get()) {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                while (!isStopping.get() && writeOnce(connection)) {
                    Eventually.pause(Duration.ofMillis(random.nextInt(plan.longestPauseMillis())));
                }
            } catch (SQLException unreachable) {
                Eventually.pause(AFTER_FAILURE);
            }
        }
    }

    /** Returns whether the connection is still good. */
    private boolean writeOnce(Connection connection) throws SQLException {
        try {
            connection.setTransactionIsolation(
                    random.nextBoolean()
                            ? Connection.TRANSACTION_READ_COMMITTED
                            : Connection.TRANSACTION_REPEATABLE_READ);
            List<Sent> sent = fill(connection);
            end(connection, sent);
            return true;
        } catch (SQLException | RuntimeException refusedOrBroken) {
            return rollBack(connection);
        }
    }

    private List<Sent> fill(Connection connection) throws SQLException {
        List<OutboxMessage> messages = new ArrayList<>();
        List<Sent> sent = new ArrayList<>();
        for (String key : someKeys()) {
            long n = Ledger.lock(connection, key);
            int count = 1 + random.nextInt(2);
            for (int i = 0; i < count; i++) {
                add(messages, sent, key, ++n);
            }
            Ledger.setCount(connection, key, n);
        }
        if (random.nextInt(10) == 0) {
            add(messages, sent, "", 0);
        }
        if (random.nextInt(10) == 0) {
            enqueueAndUndo(connection);
        }
        enqueue(connection, messages);
        Ledger.record(connection, sent);
        return sent;
    }

    /** In one order for all writers, so that they do not deadlock. */
    private Collection<String> someKeys() {
        Collection<String> keys = new TreeSet<>();
        for (int i = 0; i <= random.nextInt(MOST_KEYS); i++) {
            keys.add(plan.key(random.nextInt(plan.keys())));
        }
        return keys;
    }

    private void add(List<OutboxMessage> messages, List<Sent> sent, String key, long n) {
        String topic = plan.topics().get(random.nextInt(plan.topics().size()));
        OutboxMessage message = message(topic, key, n);
        messages.add(message);
        sent.add(new Sent(message.id().toString(), topic, key, n));
    }

    private OutboxMessage message(String topic, String key, long n) {
        OutboxMessage.Builder builder =
                outbox.message(topic).type("Counted").payload(Wire.payload(n, plan.payloadBytes()));
        return key.isEmpty() ? builder.build() : builder.key(key).build();
    }

    private void enqueueAndUndo(Connection connection) throws SQLException {
        Savepoint savepoint = connection.setSavepoint();
        outbox.enqueue(connection, message(plan.topics().get(0), plan.key(0), 0));
        connection.rollback(savepoint);
    }

    /** As one statement over several lanes, or one by one with pauses in which later seqs are drawn and committed. */
    private void enqueue(Connection connection, List<OutboxMessage> messages) {
        if (random.nextBoolean()) {
            outbox.enqueue(connection, messages);
            return;
        }
        for (OutboxMessage message : messages) {
            outbox.enqueue(connection, message);
            dawdle();
        }
    }

    private void end(Connection connection, List<Sent> sent) throws SQLException {
        dawdle();
        if (random.nextInt(14) == 0) {
            connection.rollback();
        } else {
            connection.commit();
            confirmed.addAll(sent);
        }
    }

    private void dawdle() {
        if (random.nextInt(40) == 0) {
            Eventually.pause(Duration.ofMillis(10 + random.nextInt(200)));
        }
    }

    private static boolean rollBack(Connection connection) {
        try {
            connection.rollback();
            return connection.isValid(1);
        } catch (SQLException broken) {
            return false;
        }
    }
}
