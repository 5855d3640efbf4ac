package dev.postrider.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import dev.postrider.internal.JsonText;
import dev.postrider.message.OutboxMessage;
import dev.postrider.service.config.ConfigException;
import dev.postrider.service.console.ConsoleSettings;
import dev.postrider.service.console.Role;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.operation.OperatedOutboxes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the console answers, to whom, and what it changes. */
@Timeout(120)
class ConsoleTest {

    private static final String ORDERS = "/api/outboxes/orders";
    private static final Path PAGE = Path.of("src/main/resources/dev/postrider/console/page");

    @TempDir
    private Path directory;

    private Scene scene;
    private Console console;
    private String token = Scene.OPERATOR;

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

    private ConsoleRequest request(String method, String pathAndQuery, String body, Map<String, String> headers) {
        String[] parts = pathAndQuery.split("\\?", 2);
        Map<String, String> all = new HashMap<>(Map.of("host", "localhost:8081", "authorization", "Bearer " + token));
        all.putAll(headers);
        all.values().removeIf(String::isEmpty);
        return new ConsoleRequest(method, parts[0], parts.length == 2 ? parts[1] : "", all, true, body);
    }

    private ConsoleResponse get(String path) {
        return console.handle(request("GET", path, "", Map.of()));
    }

    private ConsoleResponse post(String path, String body) {
        return console.handle(
                request("POST", path, body, Map.of("sec-fetch-site", "same-origin", "postrider-console", "1")));
    }

    private static String text(ConsoleResponse response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    private static OutboxMessage message(String topic, String key) {
        return OutboxMessage.builder(topic)
                .key(key)
                .type("order.placed")
                .header("authorization", "secret-header")
                .header("shop", "berlin")
                .json("{\"card\":\"4111\",\"lines\":[{\"sku\":\"a\",\"price\":12345678901234567890}]}")
                .build();
    }

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
    void loopbackMeansThisMachineAndNoProxyOnIt() {
        Access loopback = Access.loopback(Role.OPERATE);
        ConsoleRequest own = request("GET", "/api/me", "", Map.of());
        ConsoleRequest proxied = request("GET", "/api/me", "", Map.of("x-forwarded-for", "10.0.0.7"));
        ConsoleRequest other = new ConsoleRequest("GET", "/api/me", "", own.headers(), false, "");

        assertThat(loopback.grant(own).role()).isEqualTo(Role.OPERATE);
        assertThat(loopback.grant(proxied).role()).isEqualTo(Role.NOTHING);
        assertThat(loopback.grant(other).role()).isEqualTo(Role.NOTHING);
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
    void pagesThroughEveryMessageOnceInEachTable() {
        List<OutboxMessage> written = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            written.add(message("orders", "key-" + i));
            written.add(message("rejected", "key-" + i));
            written.add(OutboxMessage.builder("orders")
                    .key("key-" + i)
                    .type("later")
                    .deliverAfter(Duration.ofHours(1 + i / 5))
                    .build());
        }
        scene.write(written.toArray(OutboxMessage[]::new));
        assertThat(pagedIds("in=hot")).hasSize(50);
        assertThat(pagedIds("in=hot&topic=orders")).hasSize(25);
        assertThat(pagedIds("in=delayed")).hasSize(25);
        scene.relayOnce();

        assertThat(pagedIds("in=hot")).isEmpty();
        assertThat(pagedIds("in=dead")).hasSize(25);
        assertThat(pagedIds("in=dead&key=key-7")).hasSize(1);
        assertThat(pagedIds("in=dead&error=TOTAL")).hasSize(25);
        assertThat(pagedIds("in=dead&error=nothing%20such")).isEmpty();
        assertThat(pagedIds("in=sent")).hasSize(25);
        assertThat(pagedIds("in=sent&before=2001-01-01T00:00:00Z")).isEmpty();
        assertThat(get(ORDERS + "/messages?after=%2A%2A").status()).isEqualTo(400);
        assertThat(get(ORDERS + "/messages?in=nowhere").status()).isEqualTo(400);
        assertThat(get(ORDERS + "/messages?limit=100000").status()).isEqualTo(400);
    }

    private Set<String> pagedIds(String query) {
        Set<String> ids = new HashSet<>();
        String after = "";
        do {
            String page = text(get(ORDERS + "/messages?limit=7&" + query + after));
            List<String> found = Pattern.compile("\"id\":\"([^\"]+)\"")
                    .matcher(page)
                    .results()
                    .map(match -> match.group(1))
                    .toList();
            found.forEach(id -> assertThat(ids.add(id)).isTrue());
            after = JsonText.members(page).containsKey("next")
                    ? "&after=" + JsonText.members(page).get("next").scalar().orElseThrow()
                    : "";
        } while (!after.isEmpty());
        return ids;
    }

    @Test
    void showsTheLineOfAKeyAcrossAllTables() {
        scene.write(message("orders", "k"), message("rejected", "k"), message("failing", "k"), message("failing", "k"));
        scene.relayOnce();
        scene.write(
                message("failing", "k"),
                OutboxMessage.builder("orders")
                        .key("k")
                        .type("later")
                        .deliverAfter(Duration.ofHours(1))
                        .build());

        List<String> standings = Pattern.compile("\"standing\":\"([A-Z_]+)\"")
                .matcher(text(get(ORDERS + "/key?key=k")))
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(standings).containsExactly("DELIVERED", "GIVEN_UP", "RETRIED", "BEHIND", "BEHIND", "DELAYED");
    }

    @Test
    void doesToDeadLettersWhatWasConfirmedAndWritesItDown() throws InterruptedException {
        for (int i = 0; i < 6; i++) {
            scene.write(message("rejected", "key-" + i), message("rejected-too", "key-" + i));
        }
        scene.relayOnce();
        String group = "{\"topic\":\"rejected\",\"reason\":\"REJECTED\",\"error\":\"schema refused: field 'total' is"
                + " missing\"";

        assertThat(text(get(ORDERS + "/dead-groups"))).contains("\"letters\":6");
        assertThat(text(post(ORDERS + "/dead/discard", group + ",\"dry_run\":true}")))
                .contains("\"matching\":6");
        assertThat(post(ORDERS + "/dead/discard", "{}").status()).isEqualTo(400);
        assertThat(post(ORDERS + "/dead/discard", group + "}").status()).isEqualTo(409);
        assertThat(post(ORDERS + "/dead/discard", group + ",\"expected\":5}").status())
                .isEqualTo(409);
        assertThat(scene.store.stats().dead()).isEqualTo(12);
        assertThat(post(ORDERS + "/dead/discard", group + ",\"expected\":6}").status())
                .isEqualTo(202);
        await(() -> text(get("/api/jobs")).contains("\"state\":\"DONE\""));

        assertThat(scene.store.stats().dead()).isEqualTo(6);
        assertThat(text(get(ORDERS + "/operations")))
                .contains("\"operator\":\"ann\"", "\"action\":\"discard\"", "\"affected\":6");
    }

    @Test
    void jobsKeepTheirRateAndCanBeCancelled() throws InterruptedException {
        for (int i = 0; i < 40; i++) {
            scene.write(message("rejected", "key-" + i));
        }
        scene.relayOnce();

        String job = text(post(ORDERS + "/dead/discard", "{\"all\":true,\"expected\":40,\"per_second\":1}"));
        String id = JsonText.members(job).get("id").scalar().orElseThrow();
        await(() -> scene.store.stats().dead() < 40);
        assertThat(post("/api/jobs/" + id + "/cancel", "{}").status()).isEqualTo(200);
        await(() -> text(get("/api/jobs")).contains("\"state\":\"CANCELLED\""));

        assertThat(scene.store.stats().dead()).isBetween(20L, 39L);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(20);
        }
    }

    private Map<String, JsonText.Value> head(String key) {
        Map<String, JsonText.Value> line = JsonText.members(text(get(ORDERS + "/key?key=" + key)));
        return JsonText.elements(line.get("steps").source()).stream()
                .map(JsonText::members)
                .filter(step -> Set.of("RETRIED", "BLOCKED")
                        .contains(step.get("standing").scalar().orElseThrow()))
                .findFirst()
                .orElseThrow();
    }

    private ConsoleResponse held(Map<String, JsonText.Value> head, String verb, String more) {
        return post(
                ORDERS + "/held/" + head.get("id").scalar().orElseThrow() + "/" + verb,
                "{\"lane\":" + head.get("lane").source() + ",\"seq\":"
                        + head.get("seq").source() + more + "}");
    }

    @Test
    void retriesAndDiscardsTheMessageThatHoldsItsKeyBack() {
        scene.write(message("failing", "k"), message("failing-too", "k"));
        scene.relayOnce();
        Map<String, JsonText.Value> first = head("k");

        token = Scene.READER;
        assertThat(held(first, "discard", "").status()).isEqualTo(403);
        token = Scene.OPERATOR;
        assertThat(text(held(first, "discard", ",\"dry_run\":true"))).contains("\"matching\":1");
        assertThat(held(first, "retry", "").status()).isEqualTo(200);
        assertThat(held(first, "retry", "").status()).isEqualTo(409);
        scene.relayOnce();
        assertThat(head("k").get("state").source()).contains("\"attempts\":2");

        assertThat(held(first, "discard", "").status()).isEqualTo(200);
        assertThat(held(first, "discard", "").status()).isEqualTo(409);
        scene.relayOnce();
        assertThat(head("k").get("topic").scalar()).contains("failing-too");
        assertThat(text(get(ORDERS + "/operations")))
                .contains("\"action\":\"retry held\"", "\"action\":\"discard held\"", "\"operator\":\"ann\"");
    }

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
    void showsProtobufByADescriptorSetAndMasksItToo() throws IOException {
        FileDescriptorProto file = FileDescriptorProto.newBuilder()
                .setName("shop.proto")
                .setPackage("shop")
                .setSyntax("proto3")
                .addMessageType(DescriptorProto.newBuilder()
                        .setName("Paid")
                        .addField(field("card", 1, FieldDescriptorProto.Type.TYPE_STRING))
                        .addField(field("cents", 2, FieldDescriptorProto.Type.TYPE_INT64)))
                .build();
        Path set = directory.resolve("shop.desc");
        Files.write(set, FileDescriptorSet.newBuilder().addFile(file).build().toByteArray());
        // Field 1 is the text 4111, field 2 the number 300.
        byte[] paid = {0x0a, 4, '4', '1', '1', '1', 0x10, (byte) 0xac, 2};
        OutboxMessage known =
                OutboxMessage.builder("orders").type("shop.Paid").payload(paid).build();
        OutboxMessage unknown =
                OutboxMessage.builder("orders").type("shop.Other").payload(paid).build();
        scene.write(known, unknown);

        try (Console plain = scene.console(
                        scene.settings().descriptorSet(set.toString()).build());
                Console masking = scene.console(scene.settings()
                        .descriptorSet(set.toString())
                        .maskPayload("/card")
                        .build())) {
            String path = ORDERS + "/messages/";
            assertThat(text(plain.handle(request("GET", path + known.id(), "", Map.of()))))
                    .contains(
                            "\"payload_is_protobuf\":true", "\\\"card\\\": \\\"4111\\\"", "\\\"cents\\\": \\\"300\\\"");
            assertThat(text(plain.handle(request("GET", path + unknown.id(), "", Map.of()))))
                    .contains("\"payload_is_protobuf\":false", "payload_base64");
            assertThat(text(masking.handle(request("GET", path + known.id(), "", Map.of()))))
                    .contains("300", "•••")
                    .doesNotContain("4111", "payload_base64");
            assertThat(text(masking.handle(request("GET", path + unknown.id(), "", Map.of()))))
                    .contains("payload_hidden")
                    .doesNotContain("4111");
        }
        Files.writeString(set, "nonsense");
        assertThatThrownBy(() -> scene.console(
                        scene.settings().descriptorSet(set.toString()).build()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--include_imports");
    }

    private static FieldDescriptorProto field(String name, int number, FieldDescriptorProto.Type type) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setType(type)
                .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
                .build();
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
    void aBrowserOnThisMachineOnlyLooksUnlessTheFileSaysMore() {
        assertThat(new ConsoleSettings.Builder().build().loopbackRole()).isEqualTo(Role.METADATA);
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

    @Test
    void describesEveryRoute() {
        String description = text(get("/api/openapi.json"));
        Map<String, JsonText.Value> described =
                JsonText.members(JsonText.members(description).get("paths").source());
        Set<String> routes;
        try (ConsoleApi api = new ConsoleApi(scene.settings().build(), new OperatedOutboxes(List.of()))) {
            routes = api.routes().stream()
                    .map(route -> route.method().toLowerCase(Locale.ROOT) + " " + route.path())
                    .collect(Collectors.toSet());
        }
        Set<String> known = described.entrySet().stream()
                .flatMap(path -> JsonText.members(path.getValue().source()).keySet().stream()
                        .filter(method -> !method.equals("parameters"))
                        .map(method -> method + " " + path.getKey()))
                .collect(Collectors.toSet());

        assertThat(known).isEqualTo(routes);
    }
}
