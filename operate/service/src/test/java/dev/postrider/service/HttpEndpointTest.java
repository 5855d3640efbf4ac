package dev.postrider.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.relay.UnavailablePlace;
import dev.postrider.service.Readiness.Subject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What anybody who reaches the port can learn and do. */
@Timeout(60)
class HttpEndpointTest {

    /** More than are read at the same time. */
    private static final int SLOW_CLIENTS = 300;

    private final List<Socket> sockets = new ArrayList<>();
    private final List<UnavailablePlace> places = new ArrayList<>();
    private HttpEndpoint endpoint;

    @BeforeEach
    void start() {
        Subject orders = new Subject("orders", Optional::empty, () -> places);
        endpoint = new HttpEndpoint(
                new HttpSettings(true, "127.0.0.1", 0, false),
                new Readiness(List.of(orders), System::nanoTime),
                type -> "some_metric 1\n");
        endpoint.start();
    }

    @AfterEach
    void stop() throws IOException {
        endpoint.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /health HT",
                "GET /ready HTTP/1.1\r\nHost: postrider\r\nX-Slow: 1",
                "POST /health HTTP/1.1\r\nHost: postrider\r\nContent-Length: 1000\r\n\r\n"
            })
    void answersHoweverManyClientsAreSlow(String begun) throws IOException, InterruptedException {
        for (int i = 0; i < SLOW_CLIENTS; i++) {
            connect(begun);
        }

        for (String path : List.of("/health", "/ready", "/metrics")) {
            assertThat(get(path).statusCode()).as(path).isEqualTo(200);
        }
    }

    @Test
    void endsSlowClients() throws IOException {
        Socket partial = connect("GET /health HT");
        Socket silent = connect("");

        assertThat(isEnded(partial)).isTrue();
        assertThat(isEnded(silent)).isTrue();
    }

    @Test
    void refusesHugeHeaders() throws IOException {
        Socket client = connect("GET /health HTTP/1.1\r\nHost: postrider\r\nX-Huge: ");
        assertThat(isEndedWhileSending(client, "x".repeat(1_000))).isTrue();
    }

    @Test
    void refusesAHugePath() throws IOException {
        assertThat(isEndedWhileSending(connect("GET /"), "x".repeat(1_000))).isTrue();
    }

    @Test
    void namesAPlaceThatTakesNoMessagesWithoutItsReason() throws IOException, InterruptedException {
        places.add(new UnavailablePlace(
                "rabbit",
                "exchange 'orders'",
                "User 'relay' may not use exchange 'orders' at broker.internal:5672 (password hunter2)",
                Duration.ofSeconds(3)));

        HttpResponse<String> answer = get("/ready");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .contains("\"outbox orders, destination rabbit, exchange 'orders'\":\"takes no messages;")
                .doesNotContain("relay'", "broker.internal", "5672", "hunter2");
    }

    private Socket connect(String begun) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
        sockets.add(socket);
        socket.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Waits for it. */
    private static boolean isEnded(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes().length == 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static boolean isEndedWhileSending(Socket client, String part) throws IOException {
        try {
            for (int i = 0; i < 100_000; i++) {
                client.getOutputStream().write(part.getBytes(StandardCharsets.US_ASCII));
            }
            return false;
        } catch (SocketException ended) {
            return true;
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:%d%s".formatted(endpoint.port(), path)))
                .timeout(Duration.ofSeconds(3))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}
