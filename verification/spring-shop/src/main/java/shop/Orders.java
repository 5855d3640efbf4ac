package shop;

import dev.postrider.spring.SpringOutbox;
import java.sql.Connection;
import java.sql.Savepoint;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places and changes orders. */
@Service
public class Orders {

    /** The change of an event that must never arrive. */
    private static final int NEVER = -1;

    private final OrderRepository orders;
    private final SpringOutbox outbox;
    private final ApplicationEventPublisher events;
    private final JdbcTemplate jdbc;

    public Orders(OrderRepository orders, SpringOutbox outbox, ApplicationEventPublisher events, JdbcTemplate jdbc) {
        this.orders = orders;
        this.outbox = outbox;
        this.events = events;
        this.jdbc = jdbc;
    }

    @Transactional
    public void place(String id) {
        PlacedOrder order = orders.save(new PlacedOrder(id));
        events.publishEvent(new OrderChanged(id, order.changes()));
    }

    /** Publishes, and then thinks better of it. */
    @Transactional
    public void placeAndFail(String id) {
        place(id);
        throw new IllegalStateException("changed my mind about " + id);
    }

    /** Publishes behind a savepoint, goes back to it, and publishes again. Hibernate has no NESTED transactions in Spring. */
    @Transactional
    public void placeWithSavepoint(String id) {
        orders.saveAndFlush(new PlacedOrder(id));
        Savepoint savepoint = jdbc.execute((ConnectionCallback<Savepoint>) Connection::setSavepoint);
        outbox.publish(new OrderChanged(id, NEVER));
        jdbc.execute((ConnectionCallback<Boolean>) connection -> {
            connection.rollback(savepoint);
            return true;
        });
        outbox.publish(new OrderChanged(id, 1));
    }

    /** Races with others for the same order; the version tells who was first. */
    @Transactional
    public void change(String id) {
        PlacedOrder order = orders.findById(id).orElseThrow();
        order.change();
        outbox.publish(new OrderChanged(id, order.changes()));
    }
}
