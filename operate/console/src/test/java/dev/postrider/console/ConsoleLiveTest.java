package dev.postrider.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Lane;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RoutingTable;
import dev.postrider.service.console.Role;
import dev.postrider.service.operation.OperatedOutboxes;
import dev.postrider.spi.Destination;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How outboxes, relays and destinations stand, told again and again at the cost of one query. */
@Timeout(120)
class ConsoleLiveTest extends ConsoleCase {

    @Test
    void showsWhatRelaysSayOfTheirDestinationsAndWorkers() throws InterruptedException {
        scene.startRelay();
        await(() -> text(get(ORDERS)).contains("\"state\":\"UP\""));
        assertThat(text(get(ORDERS))).contains("\"state\":\"OPEN\"", "\"in_flight\":0", "\"stands_still\":false");

        scene.write(message("down", "k"));
        await(() -> text(get(ORDERS)).contains("\"state\":\"CLOSED\""));
        assertThat(text(get(ORDERS))).contains("\"error\":\"no route to the broker");
    }

    @Test
    void aStreamTellsAgainAndAgainToThoseWhoMayLook() throws InterruptedException {
        ConsoleResponse stream = get("/api/stream");
        Feed feed = stream.feed().orElseThrow();
        assertThat(new String(feed.next().orElseThrow(), StandardCharsets.UTF_8))
                .contains("\"outbox\":\"orders\"")
                .endsWith("\n");
        scene.write(message("orders", "k"));
        assertThat(new String(feed.next().orElseThrow(), StandardCharsets.UTF_8))
                .contains("\"undelivered\":1");

        token = "";
        assertThat(get("/api/stream").status()).isEqualTo(401);
        assertThat(get("/api/stream").feed()).isEmpty();
    }

    /** Ten browsers, each with a stream and with questions of its own: the statistics are read once in each interval. */
    @Test
    void tenBrowsersCostTheDatabaseOneQueryInEachInterval() throws Exception {
        CountingSource counting = new CountingSource(scene.address());
        try (Console counted =
                Console.of(scene.settings().build(), new OperatedOutboxes(List.of(counting)), request -> grant())) {
            long begin = System.nanoTime();
            ExecutorService browsers = Executors.newFixedThreadPool(10);
            for (int i = 0; i < 10; i++) {
                browsers.execute(() -> follow(counted));
            }
            browsers.shutdown();
            assertThat(browsers.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            long intervals = (System.nanoTime() - begin) / WatchedOutbox.INTERVAL.toNanos();

            assertThat(counting.statistics()).isBetween(2L, intervals + 1);
        }
    }

    private static Access.Grant grant() {
        return new Access.Grant("ann", Role.METADATA);
    }

    private void follow(Console counted) {
        try {
            Feed feed = counted.handle(request("GET", "/api/stream", "", Map.of()))
                    .feed()
                    .orElseThrow();
            for (int line = 0; line < 3; line++) {
                assertThat(feed.next()).isPresent();
                counted.handle(request("GET", "/api/overview", "", Map.of()));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Its destination holds the thread of its only worker, which a destination must never do. */
    @Test
    void tellsWhichWorkerStandsStillAndWithWhichLanes() throws InterruptedException {
        LateDestination stuck = new LateDestination("stuck", true);
        try (Relay relay = Relay.builder(scene.store, stuck).workers(1).build()) {
            relay.start();
            await(() -> text(get(ORDERS)).contains("\"stands_still\":false"));
            scene.write(message("orders", "k"));
            await(() -> text(get(ORDERS)).contains("\"stands_still\":true"));
            assertThat(text(get(ORDERS))).contains("\"lanes\":[0,1,2,3]");

            stuck.deliver();
            await(() -> text(get(ORDERS)).contains("\"stands_still\":false"));
        }
    }

    /** It takes messages and never acknowledges them, while another one does. */
    @Test
    void tellsWhichDestinationIsSlowAndHowMuchIsInFlight() throws InterruptedException {
        LateDestination silent = new LateDestination("silent", false);
        Destination quick = Destination.blocking("quick", message -> {});
        RoutingTable routes = RoutingTable.byTopic().route("slow", silent).otherwise(quick);
        for (int i = 0; i < 2_000; i++) {
            scene.write(message("slow", "key-" + i));
        }
        try (Relay relay = Relay.builder(scene.store, routes)
                .workers(1)
                .batchSize(10)
                .maxInFlight(5)
                .build()) {
            relay.start();
            await(() -> text(get(ORDERS)).contains("\"state\":\"SLOW\""));

            assertThat(text(get(ORDERS))).contains("\"in_flight\":5", "\"name\":\"quick\",\"state\":\"OPEN\"");
            silent.deliver();
        }
    }

    /** Over real connections: streams have threads of their own, and whoever finds none is told so at once. */
    @Test
    void refusesAStreamBeyondTheLimitAndAnswersEverythingElse() throws IOException, InterruptedException {
        HttpClient browsers = HttpClient.newHttpClient();
        List<InputStream> streams = new ArrayList<>();
        HttpResponse<InputStream> answer = browsers.send(asking("api/stream"), BodyHandlers.ofInputStream());
        while (answer.statusCode() == 200) {
            streams.add(answer.body());
            answer = browsers.send(asking("api/stream"), BodyHandlers.ofInputStream());
        }

        assertThat(streams).hasSize(32);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("60");
        isSafe(answer);
        assertThat(browsers.send(asking("api/overview"), BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(200);
        for (InputStream stream : streams) {
            stream.close();
        }
        await(() -> scene.streams() < 32);
        assertThat(browsers.send(asking("api/stream"), BodyHandlers.ofInputStream())
                        .statusCode())
                .isEqualTo(200);
    }

    private HttpRequest asking(String path) {
        return HttpRequest.newBuilder(URI.create(scene.address(path)))
                .header("Authorization", "Bearer " + Scene.VIEWER)
                .timeout(Duration.ofSeconds(60))
                .build();
    }

    private static void isSafe(HttpResponse<?> answer) {
        assertThat(answer.headers().map())
                .as(answer.toString())
                .containsKeys("content-security-policy", "x-content-type-options", "x-frame-options");
    }

    @Test
    void everyAnswerTellsTheBrowserToTrustNobodyElse() throws IOException, InterruptedException {
        HttpClient browser = HttpClient.newHttpClient();
        String root = scene.address("").replaceFirst("/$", "");
        HttpRequest.Builder large = HttpRequest.newBuilder(URI.create(scene.address(ORDERS.substring(1) + "/unblock")))
                .header("Authorization", "Bearer " + Scene.OPERATOR)
                .header("Sec-Fetch-Site", "same-origin")
                .header("Postrider-Console", "1")
                .POST(HttpRequest.BodyPublishers.ofString(" ".repeat(70_000)));
        Map<HttpRequest, Integer> expected = Map.of(
                HttpRequest.newBuilder(URI.create(root)).build(), 308,
                HttpRequest.newBuilder(URI.create(root + "x")).build(), 404,
                HttpRequest.newBuilder(URI.create(scene.address("api/me"))).build(), 401,
                large.build(), 413);
        for (Map.Entry<HttpRequest, Integer> one : expected.entrySet()) {
            HttpResponse<String> answer = browser.send(one.getKey(), BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(one.getKey().toString()).isEqualTo(one.getValue());
            isSafe(answer);
        }
    }

    /** As many as are answered at the same time, each with a request that it has begun and does not end. */
    @Test
    void nobodyWhoSendsHalfARequestKeepsOthersWaiting() throws IOException, InterruptedException {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                slow.add(begin("GET /con"));
                slow.add(begin("POST /console/api/outboxes/orders/unblock HTTP/1.1\r\nHost: localhost\r\n"
                        + "Authorization: Bearer " + Scene.OPERATOR + "\r\nSec-Fetch-Site: same-origin\r\n"
                        + "Postrider-Console: 1\r\nContent-Length: 1000\r\n\r\n{"));
            }
            assertThat(HttpClient.newHttpClient()
                            .send(asking("api/overview"), BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(200);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void refusesWhoeverItDoesNotKnowBeforeTheBodyHasCome() throws IOException {
        String head = "POST /console/api/outboxes/orders/unblock HTTP/1.1\r\nSec-Fetch-Site: same-origin\r\n"
                + "Postrider-Console: 1\r\nContent-Length: 60000\r\n";
        assertThat(firstLine(begin(head + "Host: localhost\r\nAuthorization: Bearer wrong\r\n\r\n")))
                .contains(" 401 ");
        assertThat(firstLine(
                        begin(head + "Host: evil.example\r\nAuthorization: Bearer " + Scene.OPERATOR + "\r\n\r\n")))
                .contains(" 403 ");
    }

    private Socket begin(String begun) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), scene.port());
        socket.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Empty if the connection ends without an answer. */
    private static String firstLine(Socket socket) throws IOException {
        try (socket) {
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            return String.valueOf(answer.readLine());
        }
    }

    @Test
    void tellsHowOldTheOldestMessageOfALaneIsAlsoIfItIsHeld() {
        scene.write(message("failing", "k"));
        scene.relayOnce();
        assertThat(text(get(ORDERS)))
                .contains("\"oldest_by_lane\":{}", "\"oldest_held_by_lane\":{\"" + Lane.forKey("k", 4) + "\":\"20");
    }
}
