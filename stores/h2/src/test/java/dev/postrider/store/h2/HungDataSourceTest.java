package dev.postrider.store.h2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.store.jdbc.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A data source whose getConnection() does not return. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HungDataSourceTest {

    private static final Duration LEASE = Duration.ofSeconds(2);

    private final DataSource database = database();
    private final Hanging hanging = new Hanging(database);
    private final AtomicInteger delivered = new AtomicInteger();

    private static DataSource database() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return dataSource;
    }

    @Test
    void makesTheRelayUnreadyHangsOneThreadAndIsForgottenWhenItReturns() {
        H2OutboxStore.builder(database).schemaMode(SchemaMode.CREATE).build();
        Outbox outbox = Outbox.withDefaults(H2OutboxStore.builder(database).build());
        try (Relay relay = Relay.builder(H2OutboxStore.builder(hanging).build(), new Counting(delivered))
                .lease(LEASE)
                .deliveryTimeout(LEASE.dividedBy(2))
                .build()) {
            relay.start();
            until(() -> relay.ownedLanes().size() == 16);

            hanging.hang();
            until(() -> relay.trouble().isPresent());
            assertThat(hanging.waiting).as("threads that hang").hasValue(1);

            hanging.goOn();
            outbox.inTransaction(
                    database,
                    tx -> tx.enqueue(outbox.message("t").key("k").type("x").build()));
            until(() -> delivered.get() == 1);
            until(() -> relay.trouble().isEmpty() && relay.ownedLanes().size() == 16);
        } finally {
            H2Fixture.shutDown(database);
        }
    }

    private static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.yield();
        }
    }

    private record Counting(AtomicInteger delivered) implements Destination {

        @Override
        public String name() {
            return "out";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            delivered.incrementAndGet();
            return CompletableFuture.completedFuture(DeliveryResult.DELIVERED);
        }

        @Override
        public Duration deliveryTimeout() {
            return LEASE.dividedBy(2);
        }
    }

    private static final class Hanging extends DelegatingDataSource {

        private final AtomicInteger waiting = new AtomicInteger();
        private volatile CountDownLatch gate = new CountDownLatch(0);

        Hanging(DataSource target) {
            super(target);
        }

        void hang() {
            gate = new CountDownLatch(1);
        }

        void goOn() {
            gate.countDown();
        }

        @Override
        public Connection getConnection() throws SQLException {
            waiting.incrementAndGet();
            try {
                gate.await();
            } catch (InterruptedException interrupted) {
                throw new SQLException(interrupted);
            } finally {
                waiting.decrementAndGet();
            }
            return super.getConnection();
        }
    }
}
