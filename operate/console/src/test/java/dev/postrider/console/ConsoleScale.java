package dev.postrider.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long pages take over a large table, against an empty one: run by {@code .ci/console scale}, since it takes minutes.
 *
 * <p>The time of a page is what somebody waits who opens it in a browser, until all of it is there. The time of an answer is the server's, with
 * everything that it asks of PostgreSQL. Over an empty table that is mostly the way to the database and back, so answers have their bound against
 * ten thousand rows: a filter without an index looks at fewer.
 */
class ConsoleScale {

    private static final int ROWS = Integer.getInteger("console.rows", 2_000_000);
    private static final int SMALL = 10_000;
    private static final int ROUNDS = 31;
    private static final int PAGE_ROUNDS = 7;

    /** Relays settle some hundred messages at a time; those have the same time. */
    private static final String BATCHES = "now() - (i / 500) * interval '10 milliseconds'";

    private static final String ORDERS = "/api/outboxes/orders";
    private static final double ALLOWED = 3;

    @TempDir
    private Path directory;

    @Test
    void aPageTakesAtMostThreeTimesAsLong() throws Exception {
        Database made = Servers.postgres().createDatabase("scale");
        try (Scene scene = new Scene(DatabaseSettings.of(made.jdbcUrl(), made.user(), made.password()), directory);
                Console console = scene.console(scene.settings().build());
                ConsoleBrowser browser = new ConsoleBrowser(scene, directory)) {
            OutboxMessage one =
                    OutboxMessage.builder("orders").key("key-1").type("t").build();
            scene.write(one);
            browser.signIn(Scene.OPERATOR);
            browser.watchOpening();
            // The first time is that of the compiler.
            measure(console, one, last(scene));
            open(browser, scene, one);
            Map<String, Double> emptyPages = open(browser, scene, one);
            Map<String, Double> empty = measure(console, one, last(scene));
            fill(scene, 1, SMALL, SMALL);
            Map<String, Double> small = measure(console, one, last(scene));
            fill(scene, SMALL + 1, ROWS, ROWS / 10);
            Map<String, Double> large = measure(console, one, last(scene));
            Map<String, Double> largePages = open(browser, scene, one);

            print("ms of page in a browser", emptyPages, emptyPages, largePages);
            print("ms of answer", empty, small, large);
            isInBounds(emptyPages, largePages);
            // It counts what waits for each destination, so that it grows with what is held.
            small.remove(ORDERS);
            isInBounds(small, large);
        }
    }

    private static void print(
            String what, Map<String, Double> empty, Map<String, Double> bound, Map<String, Double> large) {
        System.out.printf("%-66s %9s %9s %9s %6s%n", what, "empty", bound == empty ? "" : SMALL, ROWS, "ratio");
        bound.forEach((page, millis) -> System.out.printf(
                "%-66s %9.1f %9s %9.1f %6.2f%n",
                page,
                empty.get(page),
                bound == empty ? "" : "%.1f".formatted(millis),
                large.get(page),
                large.get(page) / millis));
    }

    private static void isInBounds(Map<String, Double> small, Map<String, Double> large) {
        small.forEach((page, millis) -> assertThat(large.get(page)).as(page).isLessThanOrEqualTo(ALLOWED * millis));
    }

    /** Opens each page by its address in a new document, until nothing of it is waited for. */
    private static Map<String, Double> open(ConsoleBrowser browser, Scene scene, OutboxMessage one)
            throws SQLException {
        Last last = last(scene);
        Map<String, Double> medians = new LinkedHashMap<>();
        for (String page : new String[] {
            "overview",
            "destinations",
            "lanes",
            "messages?in=hot",
            "messages?in=hot&topic=nowhere",
            "messages?in=held",
            "messages?in=held&key=key-1",
            "messages?in=dead",
            "messages?in=dead&error=nothing",
            "messages?in=sent",
            "messages?in=sent&before=2001-01-01T00:00:00Z",
            "key/key-1",
            "key/{last key}",
            "message/{first}",
            "message/{last}",
            "dead",
            "operations"
        }) {
            String path = page.replace("{first}", one.id().text())
                    .replace("message/{last}", last.link().replace("/messages/", "message/"))
                    .replace("{last key}", last.key());
            double[] millis = new double[PAGE_ROUNDS];
            for (int round = 0; round < millis.length; round++) {
                scene.forgetStatus();
                millis[round] = browser.millisToOpen(path);
            }
            Arrays.sort(millis);
            medians.put(page, millis[millis.length / 2]);
        }
        return medians;
    }

    /** Waiting and delivered messages from one number to another, and dead and held ones up to a third. */
    private static void fill(Scene scene, int first, int last, int lastFailed) throws SQLException {
        try (Connection connection = scene.opened.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : new String[] {"outbox", "outbox_sent"}) {
                String more = table.equals("outbox") ? "" : ", delivered_at, lane, seq";
                String values = table.equals("outbox") ? "" : ", " + BATCHES + ", i % 4, i";
                statement.execute("INSERT INTO " + table
                        + " (id, topic, message_key, type, content_type, payload, created_at" + more + ")"
                        + " SELECT gen_random_uuid(), 'orders', 'key-' || i, 't', 'text/plain', '\\x01', now()" + values
                        + " FROM generate_series(" + first + ", " + last + ") i");
                statement.execute("ANALYZE " + table);
            }
            statement.execute("INSERT INTO outbox_dead (lane, seq, id, topic, message_key, type, content_type, payload,"
                    + " created_at, reason, attempts, died_at, retry_requested)"
                    + " SELECT i % 4, i, gen_random_uuid(), 'orders', 'key-' || i, 't', 'text/plain', '\\x01', now(),"
                    + " 'REJECTED', 1, " + BATCHES + ", false FROM generate_series(" + first + ", " + lastFailed
                    + ") i");
            statement.execute("INSERT INTO outbox_held (lane, seq, id, topic, message_key, type, content_type, payload,"
                    + " created_at, destination, attempts, next_attempt_at, blocked, last_error, first_failed_at)"
                    + " SELECT i % 4, -i, gen_random_uuid(), 'orders', 'key-' || i, 't', 'text/plain', '\\x01', now(),"
                    + " 'kafka-main', 1, now() + interval '1 hour', false, 'error', now()"
                    + " FROM generate_series(" + first + ", " + lastFailed + ") i");
            statement.execute("ANALYZE outbox_dead");
            statement.execute("ANALYZE outbox_held");
        }
    }

    /** How the last waiting message is asked for by a link of a list, and how by its key. */
    private record Last(String link, String key) {}

    private static Last last(Scene scene) throws SQLException {
        try (Connection connection = scene.opened.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT id, lane, seq, message_key FROM outbox ORDER BY lane DESC, seq DESC LIMIT 1")) {
            row.next();
            return new Last(
                    "/messages/%s?in=hot&lane=%d&seq=%d"
                            .formatted(row.getString("id"), row.getInt("lane"), row.getLong("seq")),
                    row.getString("message_key"));
        }
    }

    private static Map<String, Double> measure(Console console, OutboxMessage one, Last last) {
        Map<String, Double> medians = new LinkedHashMap<>();
        for (String page : new String[] {
            ORDERS,
            ORDERS + "/messages?in=hot",
            ORDERS + "/messages?in=hot&topic=orders",
            ORDERS + "/messages?in=hot&topic=nowhere",
            ORDERS + "/messages?in=hot&before=2001-01-01T00:00:00Z",
            ORDERS + "/messages?in=sent",
            ORDERS + "/messages?in=sent&before=2001-01-01T00:00:00Z",
            ORDERS + "/messages?in=sent&key=key-1",
            ORDERS + "/messages?in=held",
            ORDERS + "/messages?in=held&key=key-1",
            ORDERS + "/messages?in=held&error=nothing",
            ORDERS + "/messages?in=dead",
            ORDERS + "/messages?in=dead&key=key-1",
            ORDERS + "/messages?in=dead&error=nothing",
            ORDERS + "/key?key=key-1",
            ORDERS + "/key?key={last key}",
            ORDERS + "/messages/{first}",
            ORDERS + "/messages/{last}",
            ORDERS + "/dead-groups",
            ORDERS + "/operations"
        }) {
            String path = page.replace("{first}", one.id().text())
                    .replace("/messages/{last}", last.link())
                    .replace("{last key}", last.key());
            medians.put(page, median(console, path));
        }
        return medians;
    }

    private static double median(Console console, String page) {
        String[] parts = page.split("\\?", 2);
        ConsoleRequest request = new ConsoleRequest(
                "GET",
                parts[0],
                parts.length == 2 ? parts[1] : "",
                Map.of("host", "localhost", "authorization", "Bearer " + Scene.OPERATOR),
                true,
                "");
        double[] millis = new double[ROUNDS];
        for (int round = 0; round < millis.length; round++) {
            Scene.forgetStatus(console);
            long begin = System.nanoTime();
            ConsoleResponse answer = console.handle(request);
            millis[round] = (System.nanoTime() - begin) / 1e6;
            assertThat(answer.status()).as(page).isEqualTo(200);
        }
        Arrays.sort(millis);
        return millis[millis.length / 2];
    }
}
