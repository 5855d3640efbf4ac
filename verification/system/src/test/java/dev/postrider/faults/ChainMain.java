package dev.postrider.faults;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.Inbox;
import dev.postrider.relay.Relay;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.Subscription;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.postgres.PostgresInboxStore;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A relay from the outbox to a broker, or a consumer from there into the inbox, until its standard input ends. */
final class ChainMain {

    private static final int THREADS = 3;

    private ChainMain() {}

    public static void main(String[] args) throws IOException {
        ChainSettings settings = ChainSettings.parse(args);
        HikariDataSource pool = pool(settings);
        switch (settings.role()) {
            case RELAY -> relay(settings, pool);
            case CONSUMER -> consume(settings, pool);
        }
        while (System.in.read() >= 0) {
            // Says nothing; its end is what counts.
        }
        System.exit(0);
    }

    private static HikariDataSource pool(ChainSettings settings) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(settings.url());
        pool.setUsername(settings.user());
        pool.setPassword(settings.password());
        pool.setMaximumPoolSize(THREADS + 1);
        return pool;
    }

    private static void relay(ChainSettings settings, HikariDataSource pool) {
        Relay.builder(
                        Stores.open(settings.url(), pool, SchemaMode.VERIFY),
                        settings.broker().destination(settings))
                .lease(ChainBroker.DELIVERY_TIMEOUT.multipliedBy(2))
                .maxPollInterval(Duration.ofMillis(50))
                .build()
                .start();
    }

    private static void consume(ChainSettings settings, HikariDataSource pool) {
        Inbox inbox = Inbox.over(PostgresInboxStore.builder(pool).build());
        ExecutorService handlers = Executors.newFixedThreadPool(THREADS);
        Receiver receiver = settings.broker().receiver(settings);
        receiver.termination().whenComplete((ended, failure) -> System.exit(1));
        receiver.start(Subscription.toAll("chain"), delivery -> handlers.execute(() -> handle(delivery, inbox, pool)));
    }

    private static void handle(Delivery delivery, Inbox inbox, HikariDataSource pool) {
        try {
            boolean isNew = inbox.inTransaction(
                    pool, "chain", delivery.message(), connection -> Effects.record(connection, delivery.message()));
            if (!isNew) {
                new Effects(pool).countDuplicate(delivery.message());
            }
            delivery.acknowledge();
        } catch (Exception failed) {
            delivery.retryLater(String.valueOf(failed.getMessage()));
        }
    }
}
