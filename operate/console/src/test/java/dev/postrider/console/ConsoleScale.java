package dev.postrider.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long pages take over a large table, against an empty one: run by {@code .ci/console scale}, since it takes minutes. The time is that of the
 * console's answer, with everything that it asks of PostgreSQL.
 */
class ConsoleScale {

    private static final int ROWS = Integer.getInteger("console.rows", 2_000_000);
    private static final int ROUNDS = 31;

    /** Of a page whose answer counts for an interval, which must pass before it is measured again. */
    private static final int REMEMBERED_ROUNDS = 9;

    /** Relays settle some hundred messages at a time; those have the same time. */
    private static final String BATCHES = "now() - (i / 500) * interval '10 milliseconds'";

    private static final String ORDERS = "/api/outboxes/orders";
    private static final double ALLOWED = 3;

    /** Times below this are those of the way to the server and back. */
    private static final double SHORTEST_MILLIS = 1;

    @TempDir
    private Path directory;

    @Test
    void aPageTakesAtMostThreeTimesAsLong() throws Exception {
        Database made = Servers.postgres().createDatabase("scale");
        try (Scene scene = new Scene(DatabaseSettings.of(made.jdbcUrl(), made.user(), made.password()), directory);
                Console console = scene.console(scene.settings().build())) {
            OutboxMessage one =
                    OutboxMessage.builder("orders").key("key-1").type("t").build();
            scene.write(one);
            Map<String, Double> empty = measure(console, one);
            fill(scene);
            Map<String, Double> large = measure(console, one);

            System.out.printf("%-58s %10s %10s %6s%n", "page", "empty ms", ROWS + " ms", "ratio");
            empty.forEach((page, millis) -> System.out.printf(
                    "%-58s %10.2f %10.2f %6.2f%n", page, millis, large.get(page), large.get(page) / millis));
            empty.forEach((page, millis) -> assertThat(large.get(page))
                    .as(page)
                    .isLessThanOrEqualTo(ALLOWED * Math.max(SHORTEST_MILLIS, millis)));
        }
    }

    private static void fill(Scene scene) throws SQLException {
        try (Connection connection = scene.opened.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : new String[] {"outbox", "outbox_sent"}) {
                String more = table.equals("outbox") ? "" : ", delivered_at, lane, seq";
                String values = table.equals("outbox") ? "" : ", " + BATCHES + ", i % 4, i";
                statement.execute("INSERT INTO " + table
                        + " (id, topic, message_key, type, content_type, payload, created_at" + more + ")"
                        + " SELECT gen_random_uuid(), 'orders', 'key-' || i, 't', 'text/plain', '\\x01', now()" + values
                        + " FROM generate_series(1, " + ROWS + ") i");
                statement.execute("ANALYZE " + table);
            }
            statement.execute("INSERT INTO outbox_dead (lane, seq, id, topic, message_key, type, content_type, payload,"
                    + " created_at, reason, attempts, died_at, retry_requested)"
                    + " SELECT i % 4, i, gen_random_uuid(), 'orders', 'key-' || i, 't', 'text/plain', '\\x01', now(),"
                    + " 'REJECTED', 1, " + BATCHES + ", false FROM generate_series(1, " + ROWS / 10 + ") i");
            statement.execute("ANALYZE outbox_dead");
        }
    }

    private static Map<String, Double> measure(Console console, OutboxMessage one) throws InterruptedException {
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
            ORDERS + "/messages?in=dead",
            ORDERS + "/messages?in=dead&key=key-1",
            ORDERS + "/messages?in=dead&error=nothing",
            ORDERS + "/key?key=key-1",
            ORDERS + "/messages/" + one.id(),
            ORDERS + "/dead-groups",
            ORDERS + "/operations"
        }) {
            medians.put(page.replace(one.id().text(), "{id}"), median(console, page));
        }
        return medians;
    }

    private static double median(Console console, String page) throws InterruptedException {
        String[] parts = page.split("\\?", 2);
        ConsoleRequest request = new ConsoleRequest(
                "GET",
                parts[0],
                parts.length == 2 ? parts[1] : "",
                Map.of("host", "localhost", "authorization", "Bearer " + Scene.OPERATOR),
                true,
                "");
        boolean isRemembered = page.equals(ORDERS);
        double[] millis = new double[isRemembered ? REMEMBERED_ROUNDS : ROUNDS];
        for (int round = 0; round < millis.length; round++) {
            if (isRemembered) {
                Thread.sleep(WatchedOutbox.INTERVAL.toMillis() + 10);
            }
            long begin = System.nanoTime();
            ConsoleResponse answer = console.handle(request);
            millis[round] = (System.nanoTime() - begin) / 1e6;
            assertThat(answer.status()).as(page).isEqualTo(200);
        }
        Arrays.sort(millis);
        return millis[millis.length / 2];
    }
}
