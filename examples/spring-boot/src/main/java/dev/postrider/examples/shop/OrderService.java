package dev.postrider.examples.shop;

import dev.postrider.spring.SpringOutbox;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders. */
@Service
public class OrderService {

    private final OrderRepository orders;
    private final SpringOutbox outbox;

    public OrderService(OrderRepository orders, SpringOutbox outbox) {
        this.orders = orders;
        this.outbox = outbox;
    }

    /** The order and its event, both or none. An order of nothing is refused after both were written, to show it. */
    @Transactional
    public CustomerOrder place(String item, int quantity) {
        CustomerOrder order = orders.save(new CustomerOrder(item, quantity));
        outbox.publish(new OrderPlaced(order.getId(), item, quantity));
        if (quantity < 1) {
            throw new IllegalArgumentException("Nobody orders " + quantity + " of " + item);
        }
        return order;
    }
}
