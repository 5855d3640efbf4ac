package dev.postrider.examples.shop;

import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts PostgreSQL and Kafka, and the shop with them. */
final class ShopWithServers {

    private ShopWithServers() {}

    public static void main(String[] arguments) {
        start(arguments);
    }

    static ConfigurableApplicationContext start(String... arguments) {
        Database database = Servers.postgres().createDatabase("shop");
        Broker kafka = Servers.kafka();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--spring.datasource.url=" + database.jdbcUrl());
        all.add("--spring.datasource.username=" + database.user());
        all.add("--spring.datasource.password=" + database.password());
        all.add("--spring.kafka.bootstrap-servers=" + kafka.host() + ":" + kafka.port());
        return SpringApplication.run(ShopApplication.class, all.toArray(String[]::new));
    }
}
