package dev.postrider.console;

import dev.postrider.message.OutboxMessage;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/** What a shop writes to its outbox, for tests in a browser. */
final class Shop {

    private Shop() {}

    static boolean isOn(String kind) {
        return System.getProperty("console.database", "postgres").equals(kind);
    }

    static DatabaseSettings database() {
        if (isOn("h2")) {
            return DatabaseSettings.of("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
        }
        Database made = (isOn("mysql") ? Servers.mysql() : Servers.postgres()).createDatabase("console");
        return DatabaseSettings.of(made.jdbcUrl(), made.user(), made.password());
    }

    static OutboxMessage order(String topic, String key) {
        return OutboxMessage.builder(topic)
                .key(key)
                .type("shop.OrderPlaced")
                .header("ce_source", "/shop/berlin")
                .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .json("{\"order\":\"" + key + "\",\"total\":129.90,\"lines\":[{\"sku\":\"A-17\",\"count\":2}]}")
                .build();
    }

    static void fill(Scene scene) {
        for (int i = 1; i <= 60; i++) {
            scene.write(order("orders", "order-" + i));
        }
        for (int i = 1; i <= 12; i++) {
            scene.write(order("rejected.invoices", "order-" + i));
        }
        scene.write(
                order("orders", "order-17"),
                order("failing.billing", "order-17"),
                order("orders", "order-17"),
                order("failing.billing", "order-17"),
                OutboxMessage.builder("orders")
                        .key("order-17")
                        .type("shop.ReminderDue")
                        .deliverAfter(Duration.ofHours(3))
                        .build());
    }

    /** Markup in every field that a writer controls. */
    static OutboxMessage.Builder marked(String topic) {
        return OutboxMessage.builder(topic + Markup.SCRIPT)
                .key("key" + Markup.SCRIPT)
                .type("type" + Markup.SCRIPT)
                .header("why", Markup.SCRIPT)
                .contentType("text/html")
                .payload(("<html>" + Markup.SCRIPT).getBytes(StandardCharsets.UTF_8));
    }
}
