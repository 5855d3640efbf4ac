package shop;

import dev.postrider.spring.SpringOutbox;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places and changes orders. */
@Service
public class Orders {

    private final OrderRepository orders;
    private final SpringOutbox outbox;
    private final ApplicationEventPublisher events;
    private final Notes notes;

    public Orders(OrderRepository orders, SpringOutbox outbox, ApplicationEventPublisher events, Notes notes) {
        this.orders = orders;
        this.outbox = outbox;
        this.events = events;
        this.notes = notes;
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

    /** Publishes in a savepoint that is rolled back, and goes on. */
    @Transactional
    public void placeWithSavepoint(String id) {
        orders.saveAndFlush(new PlacedOrder(id));
        try {
            notes.noteAndFail(id);
        } catch (IllegalStateException expected) {
            // Rolled back to the savepoint.
        }
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
