package dev.postrider.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
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
            long end = System.nanoTime() + 60_000_000_000L;
            while (invoices.count() == 0 && System.nanoTime() < end) {
                Thread.sleep(20);
            }
            assertThat(invoices.findAll()).extracting(Invoice::getTotal).containsExactly(30);
        }
    }

    @Test
    void needsNoServerWithH2() throws Exception {
        try (ConfigurableApplicationContext shop =
                SpringApplication.run(ShopApplication.class, ANY_PORT, "--spring.profiles.active=h2")) {
            assertThat(order(shop, "{\"item\": \"tea\", \"quantity\": 3}").statusCode())
                    .isEqualTo(200);
        }
    }

    private static HttpResponse<String> order(ConfigurableApplicationContext shop, String wish) throws Exception {
        String port = shop.getEnvironment().getProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/orders"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(wish))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}
