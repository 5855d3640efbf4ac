package dev.postrider.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.service.RelayService;
import dev.postrider.service.ServiceConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A running relay answers where deploy/ asks, with metrics spelled as alerts and dashboard spell them. */
@Timeout(60)
class RunningRelayIT {

    private static final String DATABASE = "jdbc:h2:mem:running-relay;DB_CLOSE_DELAY=-1";

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void answersAtEveryPathAndKnowsItsMetrics(@TempDir Path directory) throws Exception {
        Path config = Files.writeString(directory.resolve("postrider.yaml"), """
                http: {port: 0, messaging-conventions: true}
                destinations: {out: {type: log}}
                outboxes:
                  orders:
                    database: {url: "%s"}
                    schema-mode: create
                """.formatted(DATABASE));
        try (RelayService service = RelayService.of(ServiceConfig.load(config, Map.of()))) {
            service.start();
            int port = service.port().orElseThrow();
            awaitReady(port);
            insertMessage();

            assertThat(get(port, "/health").statusCode()).isEqualTo(200);
            Set<String> names = awaitDelivered(port);

            assertThat(names).isSubsetOf(KnownMetrics.read().names());
            assertThat(names)
                    .contains(
                            "postrider_messages_delivered_total",
                            "postrider_delivery_delay_seconds_bucket",
                            "postrider_outbox_oldest_age_seconds",
                            "postrider_lanes_owned");
            assertThat(openMetrics(port))
                    .contains("messaging_client_operation_duration_seconds_bucket{")
                    .containsPattern("postrider_delivery_delay_seconds_bucket\\{.* # \\{.*trace_id=\"" + TRACE + "\"");
        }
    }

    private void awaitReady(int port) throws Exception {
        for (int i = 0; i < 200 && get(port, "/ready").statusCode() != 200; i++) {
            Thread.sleep(50);
        }
        assertThat(get(port, "/ready").statusCode()).isEqualTo(200);
    }

    private static void insertMessage() throws SQLException {
        try (Connection connection = DriverManager.getConnection(DATABASE);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "INSERT INTO \"outbox\" (id, topic, type, headers, payload) VALUES (RANDOM_UUID(7), 'orders', 't',"
                            + " '{\"traceparent\":\"00-" + TRACE + "-00f067aa0ba902b7-01\"}', X'')");
        }
    }

    /** The names of all meters once a message was delivered: the counter is there before, at 0. */
    private Set<String> awaitDelivered(int port) throws Exception {
        List<String> lines = List.of();
        for (int i = 0; i < 200 && lines.stream().noneMatch(RunningRelayIT::isDelivered); i++) {
            Thread.sleep(50);
            lines = get(port, "/metrics").body().lines().toList();
        }
        assertThat(lines).anyMatch(RunningRelayIT::isDelivered);
        return lines.stream()
                .filter(line -> line.startsWith("postrider_"))
                .map(line -> line.replaceFirst("[{ ].*", ""))
                .collect(Collectors.toSet());
    }

    private static boolean isDelivered(String line) {
        return line.startsWith("postrider_messages_delivered_total") && line.endsWith(" 1.0");
    }

    /** As Prometheus asks. */
    private String openMetrics(int port) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .header("Accept", "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2")
                .build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
                .isEqualTo("application/openmetrics-text; version=1.0.0; charset=utf-8");
        assertThat(answer.body()).endsWith("# EOF\n");
        return answer.body();
    }

    private HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
