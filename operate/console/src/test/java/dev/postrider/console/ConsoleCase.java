package dev.postrider.console;

import dev.postrider.message.OutboxMessage;
import dev.postrider.service.database.DatabaseSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A console over an outbox in H2 for each test, called without a web server. */
@Timeout(120)
abstract class ConsoleCase {

    static final String ORDERS = "/api/outboxes/orders";

    @TempDir
    Path directory;

    Scene scene;
    Console console;
    String token = Scene.OPERATOR;

    @BeforeEach
    void open() throws IOException {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        scene = new Scene(DatabaseSettings.of(url, "sa", ""), directory);
        console = scene.console(scene.settings().build());
    }

    @AfterEach
    void close() {
        console.close();
        scene.close();
    }

    ConsoleRequest request(String method, String pathAndQuery, String body, Map<String, String> headers) {
        String[] parts = pathAndQuery.split("\\?", 2);
        Map<String, String> all = new HashMap<>(Map.of("host", "localhost:8081", "authorization", "Bearer " + token));
        all.putAll(headers);
        all.values().removeIf(String::isEmpty);
        return new ConsoleRequest(method, parts[0], parts.length == 2 ? parts[1] : "", all, true, body);
    }

    ConsoleResponse get(String path) {
        return console.handle(request("GET", path, "", Map.of()));
    }

    ConsoleResponse post(String path, String body) {
        return console.handle(
                request("POST", path, body, Map.of("sec-fetch-site", "same-origin", "postrider-console", "1")));
    }

    static String text(ConsoleResponse response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    static OutboxMessage message(String topic, String key) {
        return OutboxMessage.builder(topic)
                .key(key)
                .type("order.placed")
                .header("authorization", "secret-header")
                .header("shop", "berlin")
                .json("{\"card\":\"4111\",\"lines\":[{\"sku\":\"a\",\"price\":12345678901234567890}]}")
                .build();
    }

    static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(20);
        }
    }
}
