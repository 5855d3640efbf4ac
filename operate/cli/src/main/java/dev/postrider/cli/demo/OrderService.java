package dev.postrider.cli.demo;

import dev.postrider.Outbox;
import dev.postrider.OutboxTransaction;
import dev.postrider.cli.demo.OrderStep.Mishap;
import dev.postrider.message.OutboxMessage;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * A small service that writes orders and their events in the same transactions. Thread-safe.
 *
 * <p>It locks the order's row before it enqueues, as the promise of order per key asks for: two transactions of one order
 * then commit in the order in which they drew their positions.
 */
final class OrderService {

    /** The header that makes the broker reject an event. */
    static final String POISON = "poison";

    private static final String TOPIC = "orders";

    private final DataSource dataSource;
    private final Outbox outbox;
    private final OrderTable orders;
    private final Ledger ledger;

    OrderService(DataSource dataSource, Outbox outbox, OrderTable orders, Ledger ledger) {
        this.dataSource = dataSource;
        this.outbox = outbox;
        this.orders = orders;
        this.ledger = ledger;
    }

    /** Carries the step out, its mishap first. */
    void carryOut(OrderStep step) throws SQLException {
        if (step.mishap() == Mishap.ROLLBACK) {
            failToCarryOut(step);
        }
        List<Written> written = outbox.inTransactionReturning(dataSource, tx -> write(tx, step));
        long now = System.nanoTime();
        ledger.committed(written.stream().map(event -> event.committedAt(now)).toList());
    }

    private void failToCarryOut(OrderStep step) throws SQLException {
        try {
            outbox.inTransaction(dataSource, tx -> {
                write(tx, step);
                throw new OrderRefused();
            });
        } catch (OrderRefused expected) {
            ledger.rolledBack();
        }
    }

    private List<Written> write(OutboxTransaction tx, OrderStep step) throws SQLException {
        int count = step.types().size();
        long first = step.isFirst()
                ? orders.insert(tx.connection(), step.orderId(), count)
                : orders.advance(tx.connection(), step.orderId(), count);
        if (step.mishap() == Mishap.SAVEPOINT_ROLLBACK) {
            changeOurMind(tx, step);
        }
        List<Written> events = events(step, first);
        tx.enqueue(events.stream().map(Written::message).toList());
        return events;
    }

    private void changeOurMind(OutboxTransaction tx, OrderStep step) throws SQLException {
        Savepoint savepoint = tx.connection().setSavepoint();
        tx.enqueue(message(step.orderId(), "OrderSplit", 0).build());
        tx.connection().rollback(savepoint);
        ledger.rolledBackToSavepoint();
    }

    private List<Written> events(OrderStep step, long firstPosition) {
        List<Written> events = new ArrayList<>();
        for (String type : step.types()) {
            long position = firstPosition + events.size();
            OutboxMessage.Builder message = message(step.orderId(), type, position);
            if (step.isPoison() && events.isEmpty()) {
                message.header(POISON, "true");
            }
            events.add(new Written(message.build(), step.orderId(), position));
        }
        return events;
    }

    private OutboxMessage.Builder message(String orderId, String type, long position) {
        return outbox.message(TOPIC)
                .key(orderId)
                .type("com.example." + type)
                .json("{\"order\":\"%s\",\"event\":\"%s\",\"position\":%d}".formatted(orderId, type, position));
    }

    private record Written(OutboxMessage message, String orderId, long position) {
        CommittedEvent committedAt(long now) {
            return new CommittedEvent(message.id(), orderId, position, now);
        }
    }

    /** Thrown on purpose, to roll a transaction back. */
    private static final class OrderRefused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OrderRefused() {
            super("rolled back on purpose", null, false, false);
        }
    }
}
