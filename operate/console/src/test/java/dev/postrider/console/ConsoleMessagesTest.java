package dev.postrider.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.internal.JsonText;
import dev.postrider.message.Lane;
import dev.postrider.message.OutboxMessage;
import dev.postrider.service.config.ConfigException;
import dev.postrider.service.operation.OperatedOutboxes;
import dev.postrider.service.operation.OutboxAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the console shows of messages and keys. */
@Timeout(120)
class ConsoleMessagesTest extends ConsoleCase {

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
    void showsProtobufByADescriptorSetAndMasksItToo() throws IOException {
        Path set = Protobuf.descriptorSet(directory);
        OutboxMessage known = Protobuf.paid("shop.Paid");
        OutboxMessage unknown = Protobuf.paid("shop.Other");
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

    /** More than a thousand others of its lane are ahead. */
    @Test
    void looksFurtherForAKeyThanTheFirstWaitingMessages() {
        OutboxMessage[] others = new OutboxMessage[1_500];
        Arrays.setAll(others, i -> message("orders", "other"));
        scene.write(others);
        scene.write(message("orders", "k"));

        Map<String, JsonText.Value> line = JsonText.members(text(get(ORDERS + "/key?key=k")));
        assertThat(line.get("is_partial").source()).isEqualTo("true");
        assertThat(line.get("steps").source()).isEqualTo("[]");
        String further = text(get(ORDERS + "/key?key=k&after="
                + ConsoleBrowser.encode(line.get("next").scalar().orElseThrow())));
        assertThat(further)
                .contains("\"standing\":\"NEXT\"", "\"is_partial\":false")
                .doesNotContain("\"next\"");
    }

    @Test
    void namesTheOptionsByWhichACommandFindsTheOutbox() {
        OutboxMessage one = message("orders", "k");
        scene.write(one);
        assertThat(text(get(ORDERS + "/messages/" + one.id())))
                .contains("\"cli_options\":\"--outbox 'orders' --config postrider.yaml\"");
        OutboxAddress byUrl = new OutboxAddress("", scene.database, scene.tables, Optional.empty());
        try (Console alone = Console.of(scene.settings().build(), new OperatedOutboxes(List.of(byUrl)))) {
            assertThat(text(alone.handle(request("GET", "/api/outboxes/outbox/messages/" + one.id(), "", Map.of()))))
                    .contains("\"cli_options\":\"--url \\\"$JDBC_URL\\\"\"");
        }
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

    @Test
    void filtersEveryTableByAgeErrorAndDestination() {
        scene.write(message("orders", "a"), message("rejected", "a"), message("failing", "b"));
        scene.relayOnce();
        scene.write(message("orders", "c"));

        for (String place : List.of("hot", "held", "dead", "sent")) {
            assertThat(pagedIds("in=" + place)).as(place).hasSize(1);
            assertThat(pagedIds("in=" + place + "&before=2001-01-01T00:00:00Z"))
                    .as(place)
                    .isEmpty();
            assertThat(pagedIds("in=" + place + "&before=2999-01-01T00:00:00Z"))
                    .as(place)
                    .hasSize(1);
            assertThat(pagedIds("in=" + place + "&destination=kafka-main"))
                    .as(place)
                    .hasSize(1);
            assertThat(pagedIds("in=" + place + "&destination=another"))
                    .as(place)
                    .isEmpty();
        }
        assertThat(pagedIds("in=held&error=answered%20500")).hasSize(1);
        assertThat(pagedIds("in=held&error=answered_500")).isEmpty();
        assertThat(text(get(ORDERS + "/messages?before=yesterday"))).contains("is no time such as");
    }

    @Test
    void tellsEveryFailedAttemptOfAMessageWithItsError() throws InterruptedException {
        OutboxMessage failing = message("failing", "k");
        scene.write(failing);
        scene.relayOnce();
        assertThat(failures(failing)).containsExactly("billing answered 500 ");

        String line = text(get(ORDERS + "/key?key=k"));
        String seq = JsonText.members(
                        JsonText.elements(JsonText.members(line).get("steps").source())
                                .get(0))
                .get("seq")
                .source();
        int lane = Lane.forKey("k", 4);
        String body = "{\"lane\":" + lane + ",\"seq\":" + seq + "}";
        for (int attempt = 2; attempt <= 5; attempt++) {
            assertThat(post(ORDERS + "/held/" + failing.id() + "/retry", body).status())
                    .isEqualTo(200);
            scene.relayOnce();
            assertThat(failures(failing)).hasSize(attempt);
        }
        assertThat(text(get(ORDERS + "/messages/" + failing.id()))).contains("\"in\":\"dead\"", "\"attempts\":5");
    }

    private List<String> failures(OutboxMessage message) {
        String whole = text(get(ORDERS + "/messages/" + message.id()));
        return JsonText.elements(JsonText.members(whole).get("failures").source()).stream()
                .map(JsonText::members)
                .peek(one -> assertThat(one.get("at").scalar()).isPresent())
                .map(one -> one.get("error").scalar().orElseThrow())
                .toList();
    }
}
