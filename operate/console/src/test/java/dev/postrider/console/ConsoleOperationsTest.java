package dev.postrider.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.internal.JsonText;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What operators do by the console, and what is written down of it. */
@Timeout(120)
class ConsoleOperationsTest extends ConsoleCase {

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

        assertThat(text(get("/api/jobs")))
                .contains("\"which\":\"topic=rejected, reason=REJECTED, error=schema refused: field 'total' is"
                        + " missing\"");
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

    /** Each is counted first without an effect; done, it is written down with the operator's name. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /destinations/kafka-main/pause  | {}                                   | "relays":0    | pause
        /destinations/kafka-main/resume | {}                                   | "relays":0    | resume
        /unblock                        | {"key":"blocked"}                    | "matching":1  | unblock
        /held/{id}/retry                | {"lane":{lane},"seq":"{seq}"}        | "matching":1  | retry held
        /held/{id}/discard              | {"lane":{lane},"seq":"{seq}"}        | "matching":1  | discard held
        /dead/retry                     | {"all":true,"expected":2}            | "matching":2  | retry
        /dead/discard                   | {"topic":"rejected","expected":2}    | "matching":2  | discard
        /jobs/{job}/cancel              | {}                                   | "total":2     | cancel
        """)
    void everyOperationHasADryRunAndALineInTheLog(String path, String body, String told, String action)
            throws InterruptedException {
        scene.write(message("rejected", "blocked"));
        scene.relayOnceBlocking();
        scene.write(message("rejected", "a"), message("rejected", "b"), message("failing", "k"));
        scene.relayOnce();
        if (action.equals("resume")) {
            scene.store.pauses().pause("kafka-main", "bob");
        }
        Map<String, JsonText.Value> head = head("k");
        String there = path.replace("{id}", head.get("id").scalar().orElseThrow());
        if (there.startsWith("/jobs")) {
            String job = text(post(ORDERS + "/dead/discard", "{\"all\":true,\"expected\":2,\"per_second\":1}"));
            there = "/api"
                    + there.replace(
                            "{job}", JsonText.members(job).get("id").scalar().orElseThrow());
            await(() -> scene.store.stats().dead() == 1);
        } else {
            there = ORDERS + there;
        }
        String filled = body.replace("{lane}", head.get("lane").source())
                .replace("{seq}", head.get("seq").scalar().orElseThrow());
        String before = text(get(ORDERS + "/operations"));
        long dead = scene.store.stats().dead();
        long held = scene.store.stats().held();

        assertThat(text(post(
                        there, filled.equals("{}") ? "{\"dry_run\":true}" : filled.replace("}", ",\"dry_run\":true}"))))
                .contains(told);
        assertThat(text(get(ORDERS + "/operations"))).isEqualTo(before).doesNotContain("\"action\":\"" + action + "\"");
        assertThat(scene.store.stats().dead()).isEqualTo(dead);
        assertThat(scene.store.stats().held()).isEqualTo(held);

        assertThat(post(there, filled).status()).isBetween(200, 202);
        String line = "\"operator\":\"ann\",\"action\":\"" + action + "\"";
        await(() -> text(get(ORDERS + "/operations")).contains(line));
    }

    @Test
    void selectsDeadLettersOneByOneOrByEveryFilter() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            scene.write(message("rejected", "key-" + i), message("rejected-too", "key-" + i));
        }
        scene.relayOnce();
        List<String> ids = Pattern.compile("\"id\":\"([^\"]+)\"")
                .matcher(text(get(ORDERS + "/messages?in=dead&topic=rejected")))
                .results()
                .map(match -> match.group(1))
                .toList();
        String picked = "{\"ids\":[\"" + ids.get(0) + "\",\"" + ids.get(1) + "\",\"" + ids.get(1) + "\"]";

        assertThat(matching("{\"error_contains\":\"FIELD 'total'\"")).isEqualTo(10);
        assertThat(matching("{\"error_contains\":\"%\"")).isZero();
        assertThat(matching("{\"error\":\"schema refused\"")).isZero();
        assertThat(matching("{\"topic\":\"rejected\",\"error_contains\":\"refused\""))
                .isEqualTo(5);
        assertThat(matching("{\"before\":\"2001-01-01T00:00:00Z\"")).isZero();
        assertThat(matching("{\"before\":\"2999-01-01T00:00:00Z\"")).isEqualTo(10);
        assertThat(matching("{\"destination\":\"kafka-main\"")).isEqualTo(10);
        assertThat(matching("{\"destination\":\"another\"")).isZero();
        assertThat(matching(picked)).isEqualTo(2);
        assertThat(post(ORDERS + "/dead/discard", "{\"ids\":[],\"expected\":0}").status())
                .isEqualTo(400);
        assertThat(post(ORDERS + "/dead/discard", "{\"ids\":[{}],\"expected\":0}")
                        .status())
                .isEqualTo(400);
        assertThat(post(ORDERS + "/dead/erase", "{\"all\":true,\"expected\":10}")
                        .status())
                .isEqualTo(400);

        assertThat(post(ORDERS + "/dead/discard", picked + ",\"expected\":2}").status())
                .isEqualTo(202);
        await(() -> text(get("/api/jobs")).contains("\"state\":\"DONE\""));

        assertThat(scene.store.stats().dead()).isEqualTo(8);
        assertThat(text(get("/api/jobs"))).contains("\"which\":\"2 selected\"", "\"handled\":2,\"done\":2");
        assertThat(text(get(ORDERS + "/operations")))
                .contains("\"details\":\"id=" + ids.get(0) + "\"", "\"details\":\"id=" + ids.get(1) + "\"")
                .doesNotContain("\"details\":\"all\"");
    }

    private long matching(String filter) {
        String answer = text(post(ORDERS + "/dead/retry", filter + ",\"dry_run\":true}"));
        return Long.parseLong(JsonText.members(answer).get("matching").source());
    }
}
