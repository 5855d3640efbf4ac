package dev.postrider.examples.springjdbc;

import dev.postrider.NoTransactionException;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.spring.SpringOutbox;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Orders placed through a {@code @Transactional} service: a committed one sends its event, one that throws sends none. */
public final class SpringJdbc {

    private SpringJdbc() {}

    public static void main(String[] args) throws InterruptedException {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Beans.class)) {
            CountDownLatch billed = new CountDownLatch(2);
            context.getBean(MemoryDestination.class).subscribe("billing", message -> {
                System.out.println("billed " + message.key().orElseThrow());
                billed.countDown();
            });
            OrderService orders = context.getBean(OrderService.class);
            orders.place("order-1", 42);
            try {
                orders.place("order-2", 5_000);
            } catch (IllegalArgumentException refused) {
                System.out.println("rolled back: " + refused.getMessage());
            }
            orders.place("order-3", 9);
            billed.await(30, TimeUnit.SECONDS);
            refuseOutsideOfATransaction(context.getBean(SpringOutbox.class));
        }
    }

    private static void refuseOutsideOfATransaction(SpringOutbox outbox) {
        try {
            outbox.enqueue(
                    outbox.message("orders").type("com.example.OrderPlaced").build());
        } catch (NoTransactionException refused) {
            System.out.println("refused: there is no transaction");
        }
    }
}
