package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.service.LimitedHttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console at the port of a relay, and alone. */
class ConsoleProcessIT {

    private static final Pattern ADDRESS =
            Pattern.compile("console at (http://127.0.0.1:\\d+/console/)#token=(\\S{32})");

    @TempDir
    private Path directory;

    private Path file(String console) throws IOException {
        return Files.writeString(directory.resolve("postrider.yaml"), """
            http:
              port: 0
            %s
            destinations:
              log:
                type: log
            outboxes:
              orders:
                database:
                  url: "jdbc:h2:%s"
                schema-mode: create
            """.formatted(console, directory.resolve("app")));
    }

    @Test
    void aRelayHasAConsoleOnlyIfItsFileSaysSo() throws IOException {
        try (RelayProcess relay = start(file(""))) {
            assertThat(relay.get("/console/")).startsWith("404");
        }
        try (RelayProcess relay = start(file("console: {}"))) {
            assertThat(relay.get("/console/")).startsWith("200 <!doctype html>");
            relay.await(() -> relay.get("/console/api/overview").contains("\"is_owned\":true"));
            assertThat(relay.get("/health")).startsWith("200");
        }
    }

    /** The server of the relay cuts answers after some seconds; streams end before, and the next one goes on. */
    @Test
    void aRelayCutsNoStream() throws IOException, InterruptedException {
        try (RelayProcess relay = start(file("console: {}"))) {
            Duration limit = LimitedHttpServer.longestAnswer().orElseThrow();
            long end = System.nanoTime() + 2 * limit.toNanos();
            while (System.nanoTime() < end) {
                HttpResponse<String> stream = HttpClient.newHttpClient().send(stream(relay), BodyHandlers.ofString());
                assertThat(stream.statusCode()).isEqualTo(200);
                assertThat(stream.body()).contains("\"outbox\":\"orders\"").endsWith("\n");
            }
        }
    }

    @Test
    void healthIsAnsweredWhileAllStreamsAreOpen() throws IOException, InterruptedException {
        try (RelayProcess relay = start(file("console: {}"))) {
            HttpClient browsers = HttpClient.newHttpClient();
            HttpResponse<InputStream> answer = browsers.send(stream(relay), BodyHandlers.ofInputStream());
            while (answer.statusCode() == 200) {
                answer = browsers.send(stream(relay), BodyHandlers.ofInputStream());
            }
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(relay.get("/health")).startsWith("200");
            assertThat(relay.get("/console/api/overview")).startsWith("200");
        }
    }

    private static HttpRequest stream(RelayProcess relay) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + relay.port() + "/console/api/stream"))
                .build();
    }

    private RelayProcess start(Path file) {
        RelayProcess relay = RelayProcess.start(directory, Map.of(), "relay", "--config", file.toString());
        relay.await(() -> relay.err().contains("This relay owns 16 of 16 lanes"));
        return relay;
    }

    @Test
    void runsAloneOverADatabase() throws IOException, InterruptedException {
        try (RelayProcess relay = start(file(""))) {
            relay.terminate();
            relay.exitCode();
        }
        try (RelayProcess console = RelayProcess.start(
                directory, Map.of(), "console", "--url", "jdbc:h2:" + directory.resolve("app"), "--port", "0")) {
            console.await(() -> ADDRESS.matcher(console.out()).find());
            Matcher address = ADDRESS.matcher(console.out());
            assertThat(address.find()).isTrue();
            assertThat(console.isAlive()).isTrue();
            // The address lets somebody in, and being on the same machine does not.
            assertThat(status(address.group(1), "wrong")).isEqualTo(401);
            assertThat(status(address.group(1), address.group(2))).isEqualTo(200);
        }
    }

    @Test
    void runsAloneOverTheOutboxesOfAFileForThoseWhomItNames() throws IOException, InterruptedException {
        Path tokens = Files.writeString(directory.resolve("tokens"), "ann metadata token-of-ann-who-looks\n");
        Path file = file("console: { path: /ops, token-file: \"" + tokens + "\" }");
        try (RelayProcess console =
                RelayProcess.start(directory, Map.of(), "console", "--config", file.toString(), "--port", "0")) {
            Pattern printed = Pattern.compile("console at (http://127.0.0.1:\\d+/ops/)\\s");
            console.await(() -> printed.matcher(console.out()).find());
            Matcher address = printed.matcher(console.out());
            assertThat(address.find()).isTrue();
            assertThat(status(address.group(1), "")).isEqualTo(401);
            assertThat(status(address.group(1), "token-of-ann-who-looks")).isEqualTo(200);
        }
    }

    private static int status(String address, String token) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(address + "api/overview"))
                                .header("Authorization", "Bearer " + token)
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }
}
