package dev.postrider.examples.modules.stock;

import dev.postrider.examples.modules.orders.OrderPlaced;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.stereotype.Component;

/** Another module of the same application. Modulith calls it after the commit, and remembers in its registry that it must. */
@Component
public class Stock {

    private final AtomicInteger reserved = new AtomicInteger();

    @ApplicationModuleListener
    void reserve(OrderPlaced order) {
        reserved.addAndGet(order.quantity());
    }

    public int reserved() {
        return reserved.get();
    }
}
