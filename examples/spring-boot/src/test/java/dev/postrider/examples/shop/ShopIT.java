package dev.postrider.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** The example does what its README says. */
class ShopIT {

    private static final String ANY_PORT = "--server.port=0";

    @Test
    void billsWhatWasOrdered() throws Exception {
        try (ConfigurableApplicationContext shop = ShopWithServers.start(ANY_PORT)) {
            assertThat(order(shop, "{\"item\": \"tea\", \"quantity\": 0}").statusCode())
                    .isEqualTo(400);
            assertThat(order(shop, "{\"item\": \"tea\", \"quantity\": 3}").statusCode())
                    .isEqualTo(200);

            InvoiceRepository invoices = shop.getBean(InvoiceRepository.class);
            await(() -> invoices.count() > 0);
            assertThat(invoices.findAll()).extracting(Invoice::getTotal).containsExactly(30);
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void needsNoServerWithH2(CapturedOutput output) throws Exception {
        try (ConfigurableApplicationContext shop =
                SpringApplication.run(ShopApplication.class, ANY_PORT, "--spring.profiles.active=h2")) {
            assertThat(order(shop, "{\"item\": \"tea\", \"quantity\": 3}").statusCode())
                    .isEqualTo(200);
            String event = "of destination log: topic orders, key 1, type shop.OrderPlaced";
            await(() -> output.getOut().contains(event));
            assertThat(output.getOut()).containsPattern("Message [0-9a-f-]{36} " + event);

            HttpResponse<String> status = send(request(shop, "/actuator/postrider"));
            assertThat(status.statusCode()).isEqualTo(200);
            assertThat(status.body()).contains("\"outbox\":\"outbox\"", "\"undelivered\":", "\"lanes\":[");
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            Thread.sleep(20);
        }
    }

    private static HttpResponse<String> order(ConfigurableApplicationContext shop, String wish) throws Exception {
        return send(request(shop, "/orders")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(wish)));
    }

    private static HttpRequest.Builder request(ConfigurableApplicationContext shop, String path) {
        String port = shop.getEnvironment().getProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
