package dev.postrider.faults;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.Outbox;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.store.jdbc.SchemaMode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * One relay in a process of its own. Runs until its standard input ends or it gets SIGTERM, and then closes cleanly. Takes the
 * commands {@code pause name}, {@code resume name}, {@code clock now}, and {@code delay key} on standard input: the last enqueues a message
 * that is due after {@link #DELAY}, as a service in this process would.
 */
final class RelayMain {

    static final Duration DELAY = Duration.ofSeconds(2);

    private static final int WORKERS = 2;

    private RelayMain() {}

    public static void main(String[] args) throws IOException {
        RelaySettings settings = RelaySettings.parse(args);
        HikariDataSource pool = pool(settings);
        Relay relay = relay(settings, pool);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            relay.close();
            pool.close();
        }));
        relay.start();
        RelayEvent.STARTED.print(relay.id() + " " + System.currentTimeMillis());
        obeyUntilTheEnd(relay, settings, pool);
        System.exit(0);
    }

    /** A small one, at the defaults of its time-outs, but for a start while the database is down. */
    private static HikariDataSource pool(RelaySettings settings) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(settings.url());
        pool.setUsername(settings.user());
        pool.setPassword(settings.password());
        pool.setMaximumPoolSize(WORKERS + 2);
        pool.setInitializationFailTimeout(Duration.ofSeconds(30).toMillis());
        return pool;
    }

    private static Relay relay(RelaySettings settings, HikariDataSource pool) {
        return Relay.builder(Stores.open(settings.url(), pool, SchemaMode.VERIFY), TopicRouter.of(settings))
                .lease(settings.lease())
                .deliveryTimeout(settings.deliveryTimeout())
                .workers(WORKERS)
                .batchSize(settings.batchSize())
                .maxInFlight(settings.maxInFlight())
                .maxInFlightBytes(settings.maxInFlightBytes())
                .maxAttempts(settings.maxAttempts())
                .backoff(Backoff.constant(settings.backoff()))
                .outageBackoff(Backoff.constant(Duration.ofMillis(100)))
                .maxPollInterval(Duration.ofMillis(50))
                .housekeepingInterval(Duration.ofMillis(200))
                .sweepInterval(Duration.ofMillis(500))
                .listener(new EventPrinter())
                .build();
    }

    private static void obeyUntilTheEnd(Relay relay, RelaySettings settings, HikariDataSource pool) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ", 2);
            switch (words[0]) {
                case "pause" -> relay.pause(words[1]);
                case "resume" -> relay.resume(words[1]);
                case "clock" -> RelayEvent.CLOCK.print(System.currentTimeMillis());
                default -> enqueueDelayed(words[1], settings, pool);
            }
        }
    }

    private static void enqueueDelayed(String key, RelaySettings settings, HikariDataSource pool) {
        Outbox outbox = Outbox.withDefaults(Stores.open(settings.url(), pool, SchemaMode.VERIFY));
        outbox.inTransaction(
                pool,
                tx -> tx.enqueue(outbox.message(Scene.TOPIC)
                        .key(key)
                        .type("Counted")
                        .payload(Wire.payload(1, 1))
                        .deliverAfter(DELAY)
                        .build()));
    }
}
