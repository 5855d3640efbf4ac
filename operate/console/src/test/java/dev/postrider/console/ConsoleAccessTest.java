package dev.postrider.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.service.console.ConsoleSettings;
import dev.postrider.service.console.Role;
import dev.postrider.service.operation.OperatedOutboxes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is answered, what each role sees and does, and what a page of somebody else cannot do. */
@Timeout(120)
class ConsoleAccessTest extends ConsoleCase {

    private static final Path PAGE = Path.of("src/main/resources/dev/postrider/console/page");

    @ParameterizedTest
    @CsvSource({
        "evil.example,403",
        "localhost.evil.example:8081,403",
        "localhost:8081,200",
        "127.0.0.1,200",
        "[::1]:8081,200"
    })
    void answersOnlyToHostNamesThatItKnows(String host, int status) {
        assertThat(console.handle(request("GET", "/api/me", "", Map.of("host", host)))
                        .status())
                .isEqualTo(status);
        assertThat(console.handle(request("GET", "/", "", Map.of("host", host))).status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "cross-site,,1,403",
        "same-site,,1,403",
        "none,,1,403",
        "same-origin,,1,200",
        "same-origin,,,403",
        ",http://evil.example,1,403",
        ",null,1,403",
        ",,1,403",
        ",http://localhost:8081,1,200",
        "cross-site,http://localhost:8081,1,403"
    })
    void changesNothingThatAnotherPageAsksFor(String site, String origin, String header, int status) {
        ConsoleResponse answer = console.handle(request(
                "POST",
                ORDERS + "/destinations/kafka-main/pause",
                "{}",
                Map.of(
                        "sec-fetch-site", site == null ? "" : site,
                        "origin", origin == null ? "" : origin,
                        "postrider-console", header == null ? "" : header)));

        assertThat(answer.status()).isEqualTo(status);
        assertThat(scene.store.pauses().paused()).hasSize(status == 200 ? 1 : 0);
    }

    /** Behind one, the browser's host is another than the one that the console sees. */
    @Test
    void refusesChangesThatComeThroughAProxyWhichHidesItself() {
        Map<String, String> headers =
                Map.of("sec-fetch-site", "same-origin", "postrider-console", "1", "origin", "https://ops.example");

        assertThat(console.handle(request("POST", ORDERS + "/destinations/kafka-main/pause", "{}", headers))
                        .status())
                .isEqualTo(403);
        assertThat(scene.store.pauses().paused()).isEmpty();
    }

    @Test
    void noReadChangesAnything() {
        assertThat(get(ORDERS + "/destinations/kafka-main/pause").status()).isEqualTo(405);
        assertThat(get(ORDERS + "/dead/discard?all=true&expected=0").status()).isEqualTo(405);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "wrong", "token-of-ann-who-operate", "token-of-ann-who-operatess"})
    void tellsNothingWithoutAToken(String wrong) {
        token = wrong;
        assertThat(get("/api/me").status()).isEqualTo(401);
        assertThat(get("/api/overview").status()).isEqualTo(401);
        assertThat(post(ORDERS + "/unblock", "{\"key\":\"k\"}").status()).isEqualTo(401);
    }

    @Test
    void loopbackMeansThisMachine() {
        Access loopback = Access.loopback(Role.OPERATE);
        ConsoleRequest own = request("GET", "/api/me", "", Map.of());
        ConsoleRequest other = new ConsoleRequest("GET", "/api/me", "", own.headers(), false, "");

        assertThat(loopback.grant(own).role()).isEqualTo(Role.OPERATE);
        assertThat(loopback.grant(other).role()).isEqualTo(Role.NOTHING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "forwarded",
                "x-forwarded-for",
                "x-forwarded-host",
                "x-real-ip",
                "x-envoy-external-address",
                "via"
            })
    void loopbackIsNotWhomAProxyOnThisMachineSpeaksFor(String header) {
        ConsoleRequest proxied = request("GET", "/api/me", "", Map.of(header, "10.0.0.7"));

        assertThat(Access.loopback(Role.OPERATE).grant(proxied).role()).isEqualTo(Role.NOTHING);
    }

    /** A proxy that says nothing of itself speaks HTTP/1.0. */
    @ParameterizedTest
    @CsvSource({"HTTP/1.1,200", "HTTP/1.0,401"})
    void loopbackIsNotASilentProxy(String protocol, int status) throws IOException {
        assertThat(statusOver(protocol, "127.0.0.1")).isEqualTo(status);
    }

    /** Elsewhere a process cannot call from such an address. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void loopbackIsNotASidecarThatCallsFromAnAddressOfItsOwn() throws IOException {
        assertThat(statusOver("HTTP/1.1", "127.0.0.6")).isEqualTo(401);
    }

    /** Over a real connection to a console that lets everybody on this machine do everything. */
    private int statusOver(String protocol, String from) throws IOException {
        try (ConsoleServer open = scene.openToThisMachine();
                Socket socket = new Socket("127.0.0.1", open.port(), InetAddress.getByName(from), 0)) {
            socket.getOutputStream()
                    .write(("GET /console/api/me " + protocol + "\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Integer.parseInt(answer.split(" ", 3)[1]);
        }
    }

    @Test
    void aBrowserOnThisMachineOnlyLooksUnlessTheFileSaysMore() {
        assertThat(new ConsoleSettings.Builder().build().loopbackRole()).isEqualTo(Role.METADATA);
    }

    @Test
    void eachRoleSeesAndDoesWhatItMay() {
        OutboxMessage order = message("orders", "k");
        scene.write(order);
        String path = ORDERS + "/messages/" + order.id();

        token = Scene.VIEWER;
        assertThat(text(get(path)))
                .contains("\"shop\":\"•••\"", "payload_hidden")
                .doesNotContain("4111", "berlin");
        assertThat(post(ORDERS + "/destinations/kafka-main/pause", "{}").status())
                .isEqualTo(403);
        token = Scene.READER;
        assertThat(text(get(path))).contains("4111", "berlin").doesNotContain("secret-header");
        assertThat(post(ORDERS + "/destinations/kafka-main/pause", "{}").status())
                .isEqualTo(403);
        token = Scene.OPERATOR;
        assertThat(text(get(path))).contains("4111").doesNotContain("secret-header");
        assertThat(post(ORDERS + "/destinations/kafka-main/pause", "{}").status())
                .isEqualTo(200);
        assertThat(scene.store.pauses().paused()).containsExactly("kafka-main");
        assertThat(text(get(ORDERS + "/operations"))).contains("\"operator\":\"ann\"", "\"action\":\"pause\"");
        assertThat(text(get(ORDERS))).contains("\"state\":\"PAUSED\"", "\"paused_by\":\"ann\"");
    }

    /** Of every route that there is, also of those to come. */
    @Test
    void noRouteIsOpenToWhoeverMayNotUseIt() {
        try (ConsoleApi api = new ConsoleApi(scene.settings().build(), new OperatedOutboxes(List.of()))) {
            for (Route route : api.routes()) {
                String path = route.path().replace("{outbox}", "orders").replaceAll("\\{\\w+}", "x");
                boolean isRead = route.method().equals("GET");
                for (String each : List.of("", Scene.VIEWER, Scene.READER)) {
                    token = each;
                    int status = isRead ? get(path).status() : post(path, "{}").status();
                    assertThat(status == 401 || status == 403)
                            .as(route + " with '" + each + "': " + status)
                            .isEqualTo(!isRead || each.isEmpty());
                }
                token = Scene.OPERATOR;
                Map<String, String> elsewhere =
                        Map.of("host", "evil.example", "sec-fetch-site", "same-origin", "postrider-console", "1");
                assertThat(console.handle(request(route.method(), path, "{}", elsewhere))
                                .status())
                        .as(route.toString())
                        .isEqualTo(403);
            }
        }
    }

    @Test
    void masksPartsOfPayloadsAndHidesThoseItCannotRead() {
        OutboxMessage order = message("orders", "k");
        OutboxMessage binary = OutboxMessage.builder("orders")
                .type("raw")
                .payload("card=4111".getBytes(StandardCharsets.UTF_8))
                .build();
        scene.write(order, binary);
        try (Console masking = scene.console(
                scene.settings().maskPayload("/card, /lines/*/sku").build())) {
            String shown = text(masking.handle(request("GET", ORDERS + "/messages/" + order.id(), "", Map.of())));
            String hidden = text(masking.handle(request("GET", ORDERS + "/messages/" + binary.id(), "", Map.of())));

            assertThat(shown)
                    .contains(
                            "{\\\"card\\\":\\\"•••\\\",\\\"lines\\\":[{\\\"sku\\\":\\\"•••\\\",\\\"price\\\":12345678901234567890}]}")
                    .doesNotContain("4111", "payload_base64");
            assertThat(hidden).contains("payload_hidden").doesNotContain("4111", "payload_base64");
        }
    }

    @Test
    void thePageIsSafeAndSmall() throws IOException {
        ConsoleResponse page = get("/");
        assertThat(page.headers())
                .containsEntry("Content-Type", "text/html; charset=utf-8")
                .containsEntry("X-Content-Type-Options", "nosniff")
                .hasEntrySatisfying(
                        "Content-Security-Policy",
                        policy -> assertThat(policy)
                                .startsWith("default-src 'self'")
                                .contains("frame-ancestors 'none'")
                                .doesNotContain("unsafe", "http"));
        assertThat(text(page)).doesNotContain("<script>", "onclick", "http://", "https://");
        assertThat(get("/../Console.class").status()).isEqualTo(404);
        assertThat(get("/%2e%2e/x").status()).isEqualTo(404);
        long bytes = 0;
        try (Stream<Path> files = Files.list(PAGE)) {
            for (Path file : files.toList()) {
                bytes += Files.size(file);
                if (!file.endsWith("preact.js")) {
                    assertThat(Files.readString(file)).doesNotContain("innerHTML", "insertAdjacent", "eval(", "cdn");
                }
            }
        }
        assertThat(bytes).isLessThan(80_000);
    }
}
