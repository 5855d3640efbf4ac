// snippet: first-event
package com.example;

import dev.postrider.spring.OutboxEvent;
import dev.postrider.spring.SpringOutbox;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.support.TransactionTemplate;

@SpringBootApplication
public class Shop {

    @OutboxEvent(topic = "orders", key = "#{id}")
    record OrderPlaced(String id, int total) {}

    public static void main(String[] arguments) {
        SpringApplication.run(Shop.class, arguments);
    }

    @Bean
    ApplicationRunner firstOrder(TransactionTemplate transaction, SpringOutbox outbox) {
        return arguments -> transaction.executeWithoutResult(status -> outbox.publish(new OrderPlaced("17", 42)));
    }
}
// end
