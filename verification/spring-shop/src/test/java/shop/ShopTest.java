package shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;

/** Every committed event once at the consumer's effect, in order; none of a transaction or savepoint that was rolled back. */
class ShopTest {

    private static final int ORDERS = 1000;
    private static final int CONTESTED = 10;
    private static final int THREADS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Database database = Servers.postgres().createDatabase("shop");
    private final String topic = "orders-" + UUID.randomUUID();
    private int conflicts;

    @Test
    void deliversEveryCommittedEventOnceAndInOrder() throws Exception {
        try (ConfigurableApplicationContext shop = start()) {
            work(shop.getBean(Orders.class), 0, ORDERS / 2);
        }
        // What was not yet delivered or billed when the first one closed is done by the second.
        try (ConfigurableApplicationContext shop = start()) {
            work(shop.getBean(Orders.class), ORDERS / 2, ORDERS);
            JdbcTemplate jdbc = shop.getBean(JdbcTemplate.class);
            Map<String, List<Integer>> expected = committed(jdbc);
            int events = expected.values().stream().mapToInt(List::size).sum();
            await(jdbc, events);

            assertThat(billed(jdbc)).isEqualTo(expected);
            assertThat(expected).hasSize(ORDERS - ORDERS / 10);
            assertThat(conflicts).as("conflicts of racing updates").isPositive();
            System.out.printf(
                    "Spring Boot %s: %,d orders, %,d events, %,d conflicts of racing updates%n",
                    SpringBootVersion.getVersion(), expected.size(), events, conflicts);
        }
    }

    private ConfigurableApplicationContext start() {
        return SpringApplication.run(
                ShopApplication.class,
                "--DATABASE_URL=" + database.jdbcUrl(),
                "--DATABASE_USER=" + database.user(),
                "--DATABASE_PASSWORD=" + database.password(),
                "--KAFKA=" + Servers.kafka().host() + ":" + Servers.kafka().port(),
                "--TOPIC=" + topic);
    }

    private void work(Orders orders, int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            place(orders, i);
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Integer>> racing = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                racing.add(threads.submit(() -> change(orders, from)));
            }
            for (Future<Integer> each : racing) {
                conflicts += each.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    private static void place(Orders orders, int i) {
        String id = "order-" + i;
        switch (i % 10) {
            case 1 -> {
                try {
                    orders.placeAndFail(id);
                } catch (IllegalStateException expected) {
                    // Rolled back.
                }
            }
            case 2, 3 -> orders.placeWithSavepoint(id);
            default -> orders.place(id);
        }
    }

    /** Each thread changes the same orders, in the same order, again and again. */
    private static int change(Orders orders, int from) {
        int lost = 0;
        for (int round = 0; round < 100; round++) {
            try {
                orders.change("order-" + (from + 10 * (round % CONTESTED)));
            } catch (ConcurrencyFailureException another) {
                lost++;
            }
        }
        return lost;
    }

    /** By order: 1 to the number of its changes. */
    private static Map<String, List<Integer>> committed(JdbcTemplate jdbc) {
        Map<String, List<Integer>> changes = new LinkedHashMap<>();
        jdbc.query("select id, changes from placed_order", row -> {
            List<Integer> all = new ArrayList<>();
            for (int change = 1; change <= row.getInt("changes"); change++) {
                all.add(change);
            }
            changes.put(row.getString("id"), all);
        });
        return changes;
    }

    private static Map<String, List<Integer>> billed(JdbcTemplate jdbc) {
        Map<String, List<Integer>> changes = new LinkedHashMap<>();
        jdbc.query("select order_id, change from bill order by number", row -> {
            changes.computeIfAbsent(row.getString("order_id"), id -> new ArrayList<>())
                    .add(row.getInt("change"));
        });
        return changes;
    }

    private static void await(JdbcTemplate jdbc, int events) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (count(jdbc, "bill") < events && System.nanoTime() < end) {
            Thread.sleep(50);
        }
        // Whatever was too much would come behind: wait until nothing is on its way.
        while (count(jdbc, "outbox") > 0 && System.nanoTime() < end) {
            Thread.sleep(50);
        }
    }

    private static long count(JdbcTemplate jdbc, String table) {
        return jdbc.queryForObject("select count(*) from " + table, Long.class);
    }
}
