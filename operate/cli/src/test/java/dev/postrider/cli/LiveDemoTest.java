package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.cli.demo.LiveDemo;
import dev.postrider.internal.JsonText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code demo --console}: what a newcomer is promised to see is there, and what he may try works. */
@Timeout(120)
class LiveDemoTest {

    private static final String SHOP = "api/outboxes/shop";

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final LiveDemo demo = LiveDemo.start(3, told::add);

    private String call(String path, String body) throws IOException, InterruptedException {
        String[] parts = demo.address().split("#token=", 2);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(parts[0] + path)).header("Authorization", "Bearer " + parts[1]);
        if (!body.isEmpty()) {
            request.POST(BodyPublishers.ofString(body))
                    .header("Sec-Fetch-Site", "same-origin")
                    .header("Postrider-Console", "1");
        }
        return HttpClient.newHttpClient()
                .send(request.build(), BodyHandlers.ofString())
                .body();
    }

    private String await(String path, String text) throws IOException, InterruptedException {
        String answer = call(path, "");
        while (!answer.contains(text)) {
            Thread.sleep(50);
            answer = call(path, "");
        }
        return answer;
    }

    @Test
    void showsLanesAHeldKeyADeadLetterAndAKill() throws IOException, InterruptedException {
        try (demo) {
            assertThat(call("", "")).contains("app.js");
            await(SHOP, "\"is_owned\":true");
            await(SHOP + "/messages?in=sent", "shop.OrderPlaced");

            String groups = await(SHOP + "/dead-groups", "\"letters\":1");
            assertThat(groups).contains("tax number");
            call(SHOP + "/dead/retry", "{\"all\":true,\"expected\":1}");
            await(SHOP + "/messages?in=sent&type=shop.InvoiceIssued", "shop.InvoiceIssued");

            String held = await(SHOP, "\"held_keys\":[{");
            String key = JsonText.members(JsonText.elements(
                                    JsonText.members(held).get("held_keys").source())
                            .get(0))
                    .get("key")
                    .scalar()
                    .orElseThrow();
            assertThat(call(SHOP + "/key?key=" + key, "")).contains("OrderShipped");

            await(SHOP, "\"is_owned\":false");
            assertThat(told).anyMatch(line -> line.contains("is killed"));
            assertThat(told).noneMatch(line -> line.contains("stumbled"));
        }
    }
}
