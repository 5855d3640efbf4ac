package dev.postrider.prove.write;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.prove.Pause;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * A service: transaction after transaction it locks one to three keys, enqueues messages for them, now and then many, and commits, mostly. Some
 * transactions are slow, some roll back, wholly or to a savepoint, and all usual isolation levels occur. A few read the whole outbox
 * first and then stay open, which on MySQL and MariaDB at SERIALIZABLE locks the place of every next row.
 */
final class Writer implements Runnable {

    private static final Duration AFTER_FAILURE = Duration.ofMillis(100);

    private static final List<Integer> ISOLATIONS = List.of(
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE);

    private final DataSource dataSource;
    private final Outbox outbox;
    private final Ledger ledger;
    private final WriterPlan plan;
    private final Random random;
    private final WriterListener listener;
    private final AtomicBoolean isStopping;

    Writer(OutboxWithLedger target, WriterPlan plan, Random random, WriterListener listener, AtomicBoolean isStopping) {
        this.dataSource = target.dataSource();
        this.outbox = target.outbox();
        this.ledger = target.ledger();
        this.plan = plan;
        this.random = random;
        this.listener = listener;
        this.isStopping = isStopping;
    }

    @Override
    public void run() {
        while (!isStopping.get()) {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                writeUntilBroken(connection);
            } catch (SQLException unreachable) {
                Pause.of(AFTER_FAILURE);
            }
        }
    }

    private void writeUntilBroken(Connection connection) {
        long next = System.nanoTime();
        while (!isStopping.get() && writeOnce(connection)) {
            // By a timetable: a slow transaction is made up for.
            next += plan.pace().toNanos();
            Pause.of(Duration.ofNanos(Math.max(0, next - System.nanoTime())));
        }
    }

    /** Returns whether the connection is still good. */
    private boolean writeOnce(Connection connection) {
        try {
            connection.setTransactionIsolation(oneOf(ISOLATIONS));
            end(connection, fill(connection));
            return true;
        } catch (SQLException | RuntimeException refusedOrBroken) {
            return rollBack(connection);
        }
    }

    private List<LedgerEntry> fill(Connection connection) throws SQLException {
        List<OutboxMessage> messages = new ArrayList<>();
        List<LedgerEntry> entries = new ArrayList<>();
        for (String key : plan.keys().next(random)) {
            long n = ledger.lock(connection, key);
            for (int left = howManyOfOneKey(); left > 0; left--) {
                add(messages, entries, Optional.of(key), ++n);
            }
            ledger.setCount(connection, key, n);
        }
        if (plan.form().mayLackKey() && random.nextInt(10) == 0) {
            add(messages, entries, Optional.empty(), 0);
        }
        if (random.nextInt(10) == 0) {
            enqueueAndUndo(connection);
        }
        boolean locksOthersOut = isSlow(300);
        if (locksOthersOut) {
            enqueueAndUndo(connection);
            ledger.readOutbox(connection);
        }
        enqueue(connection, messages);
        ledger.record(connection, entries);
        if (locksOthersOut) {
            // Longer than the second after which a relay takes a number for one that is not in use.
            Pause.of(Duration.ofMillis(1200 + random.nextInt(800)));
        }
        return entries;
    }

    /** Now and then so many that a relay has a key with many messages in flight at once. */
    private int howManyOfOneKey() {
        return random.nextInt(40) == 0 ? 60 : 1 + random.nextInt(2);
    }

    private <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private void add(List<OutboxMessage> messages, List<LedgerEntry> entries, Optional<String> key, long n) {
        OutboxMessage message = message(key, n);
        messages.add(message);
        entries.add(new LedgerEntry(message.id().toString(), message.topic(), key.orElse(""), n));
    }

    private OutboxMessage message(Optional<String> key, long n) {
        OutboxMessage.Builder builder = outbox.message(oneOf(plan.topics()))
                .type(plan.form().type())
                .contentType(plan.form().contentType())
                .payload(plan.form().payload().of(key, n));
        return key.map(builder::key).orElse(builder).build();
    }

    /** A message that must never be seen. */
    private void enqueueAndUndo(Connection connection) throws SQLException {
        Savepoint savepoint = connection.setSavepoint();
        outbox.enqueue(connection, message(Optional.of(plan.keys().all().get(0)), Long.MAX_VALUE));
        connection.rollback(savepoint);
        listener.rolledBackToSavepoint();
    }

    /** As one statement over several lanes, or one by one with pauses in which later numbers are drawn and committed. */
    private void enqueue(Connection connection, List<OutboxMessage> messages) {
        if (messages.size() > 20 || random.nextBoolean()) {
            outbox.enqueue(connection, messages);
            return;
        }
        for (OutboxMessage message : messages) {
            outbox.enqueue(connection, message);
            dawdle();
        }
    }

    private void end(Connection connection, List<LedgerEntry> entries) throws SQLException {
        dawdle();
        if (random.nextInt(14) == 0) {
            connection.rollback();
            listener.rolledBack();
        } else {
            connection.commit();
            listener.committed(entries);
        }
    }

    private void dawdle() {
        if (isSlow(50)) {
            Pause.of(Duration.ofMillis(10 + random.nextInt(200)));
        }
    }

    /** True once in that many calls, at random. */
    private boolean isSlow(int times) {
        return !plan.pace().isZero() && random.nextInt(times) == 0;
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
