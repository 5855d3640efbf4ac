package dev.postrider.examples.modules.orders;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders. It knows nothing of Postrider. */
@Service
public class Orders {

    private final JdbcClient jdbc;
    private final ApplicationEventPublisher events;

    Orders(JdbcClient jdbc, ApplicationEventPublisher events) {
        this.jdbc = jdbc;
        this.events = events;
    }

    /** An order of nothing is refused after order and event were written: both are rolled back. */
    @Transactional
    public void place(String id, int quantity) {
        jdbc.sql("insert into orders values (?, ?)").params(id, quantity).update();
        events.publishEvent(new OrderPlaced(id, quantity));
        if (quantity == 0) {
            throw new IllegalArgumentException("Nobody orders nothing");
        }
    }
}
