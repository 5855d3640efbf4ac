package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spring.EventHandler;
import dev.postrider.spring.OutboxEvent;
import dev.postrider.spring.SpringOutbox;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application that publishes orders, and bills those that arrive. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class OrderShop {

    @Bean
    Billing billing() {
        return new Billing();
    }

    /** Places this many orders, each in a transaction of its own, and waits until all are billed, in this order. */
    static void assertCarries(AssertableApplicationContext context, int orders) {
        assertThat(context).hasNotFailed();
        TransactionTemplate transactions = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        SpringOutbox outbox = context.getBean(SpringOutbox.class);
        List<Integer> numbers = IntStream.rangeClosed(1, orders).boxed().toList();
        numbers.forEach(
                number -> transactions.executeWithoutResult(status -> outbox.publish(new OrderPlaced("17", number))));

        List<OrderPlaced> billed = context.getBean(Billing.class).billed;
        Eventually.assertThat(() -> billed, orders);
        assertThat(billed).extracting(OrderPlaced::number).containsExactlyElementsOf(numbers);
    }

    static class Billing {

        final List<OrderPlaced> billed = new CopyOnWriteArrayList<>();

        @EventHandler(subscriber = "spring-boot-billing")
        void bill(OrderPlaced order) {
            billed.add(order);
        }
    }

    @OutboxEvent(topic = "${orders.topic:orders}", key = "#{id}", type = "springboot.OrderPlaced")
    record OrderPlaced(String id, int number) {}
}
