package dev.postrider.examples.modules;

import dev.postrider.examples.modules.orders.Orders;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** An application of two modules: orders and stock. */
@SpringBootApplication
public class ModulesApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(ModulesApplication.class, arguments);
    }

    /** Something to see. */
    @Bean
    ApplicationRunner firstOrder(Orders orders) {
        return arguments -> orders.place("first", 3);
    }
}
