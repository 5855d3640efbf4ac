package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.NoTransactionException;
import dev.postrider.Outbox;
import dev.postrider.bus.interceptor.TraceInterceptor;
import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.Destination;
import dev.postrider.spi.TraceContext;
import dev.postrider.spring.OutboxEvent;
import dev.postrider.spring.SpringInbox;
import dev.postrider.spring.SpringOutbox;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Applications as people have them: other pools, several databases, lazy beans, virtual threads. */
class ApplicationsTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Shop.class)
            .withPropertyValues("spring.datasource.generate-unique-name=true", "postrider.schema-mode=create");

    /** Then a connection without a transaction looks like one in a transaction, and nobody commits what the store writes. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void worksWithAPoolThatDisablesAutoCommit(boolean hasOwnPool) {
        application
                .withPropertyValues(
                        "spring.datasource.hikari.auto-commit=false", "postrider.relay.own-pool=" + hasOwnPool)
                .run(context -> {
                    SpringOutbox outbox = context.getBean(SpringOutbox.class);
                    OutboxMessage message = message(outbox, "a");
                    inTransaction(context, () -> outbox.enqueue(message));
                    Eventually.assertThat(() -> received(context), 1);

                    TransactionTemplate suspended =
                            new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
                    suspended.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
                    assertThatThrownBy(() -> suspended.executeWithoutResult(status -> outbox.enqueue(message)))
                            .isInstanceOf(NoTransactionException.class);
                    SpringInbox inbox = context.getBean(SpringInbox.class);
                    assertThat(inbox.process("billing", message, () -> {})).isTrue();
                    assertThat(inbox.process("billing", message, () -> {})).isFalse();
                });
    }

    @ParameterizedTest
    @CsvSource({
        "postrider.relay.enabled=true, true",
        "postrider.relay.enabled=false, false",
        "spring.main.keep-alive=false, false"
    })
    void isKeptAliveWhileThereIsSomethingToDo(String setting, boolean isKept) {
        application
                .withPropertyValues(setting)
                .run(context -> assertThat(context.getBeanProvider(KeepAlive.class).stream())
                        .filteredOn(KeepAlive::isRunning)
                        .hasSize(isKept ? 1 : 0));
    }

    @Test
    void relaysWhileTheApplicationHoldsAllOfItsConnections() {
        application
                .withUserConfiguration(Gate.class)
                .withPropertyValues("spring.datasource.hikari.maximum-pool-size=2", "postrider.destination=gate")
                .run(context -> {
                    inTransaction(context, () -> context.publishEvent(new OrderPlaced("waiting")));
                    Gate gate = context.getBean(Gate.class);
                    gate.reached.await();
                    DataSource pool = context.getBean(DataSource.class);
                    try (Connection one = pool.getConnection();
                            Connection two = pool.getConnection()) {
                        gate.open.countDown();
                        Outbox outbox = context.getBean(Outbox.class);
                        Eventually.await(() -> outbox.stats().undelivered() == 0);
                        assertThat(outbox.stats().undelivered()).isZero();
                        assertThat(List.of(one, two)).noneMatch(ApplicationsTest::isClosed);
                    }
                });
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Test
    void relaysAlsoWhereBeansAreLazy() {
        application
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    inTransaction(context, () -> context.publishEvent(new OrderPlaced("lazy")));
                    Eventually.assertThat(() -> received(context), 1);
                });
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void runsOnVirtualThreadsIfTheApplicationDoes() {
        application
                .withUserConfiguration(Watching.class)
                .withPropertyValues("spring.threads.virtual.enabled=true")
                .run(context -> {
                    inTransaction(context, () -> context.publishEvent(new OrderPlaced("light")));
                    List<Thread> fetching = context.getBean(Watching.class).fetching;
                    Eventually.await(() -> !fetching.isEmpty());
                    assertThat(fetching.get(0).getClass().getName()).contains("VirtualThread");
                    assertThat(fetching.get(0).getName()).startsWith("postrider-outbox-");
                });
    }

    @Test
    void carriesTheTraceOfThePublisher() {
        application.withUserConfiguration(Traced.class).run(context -> {
            inTransaction(context, () -> context.publishEvent(new OrderPlaced("traced")));
            Eventually.assertThat(() -> received(context), 1);
            assertThat(received(context).get(0).headers().get(Headers.TRACE_PARENT))
                    .contains(Traced.PARENT);
        });
    }

    @Test
    void eachOfSeveralDataSourcesHasItsOutboxAndItsTransactions() {
        new ApplicationContextRunner()
                .withUserConfiguration(Shop.class, TwoDatabases.class)
                .withPropertyValues(
                        "spring.data.jpa.repositories.enabled=false",
                        "postrider.outboxes.orders.data-source=ordersData",
                        "postrider.outboxes.orders.schema-mode=create",
                        "postrider.outboxes.bills.data-source=billsData",
                        "postrider.outboxes.bills.schema-mode=create")
                .run(context -> {
                    SpringOutbox orders = context.getBean("ordersSpringOutbox", SpringOutbox.class);
                    SpringOutbox bills = context.getBean("billsSpringOutbox", SpringOutbox.class);
                    TransactionTemplate ofOrders = new TransactionTemplate(
                            context.getBean("ordersTransactions", PlatformTransactionManager.class));
                    ofOrders.executeWithoutResult(status -> {
                        orders.enqueue(message(orders, "here"));
                        assertThatThrownBy(() -> bills.enqueue(message(bills, "there")))
                                .isInstanceOf(NoTransactionException.class)
                                .hasMessageContaining("not one on the data source of the outbox");
                        context.publishEvent(new OrderShipped("named"));
                        assertThatThrownBy(() -> context.publishEvent(new OrderPlaced("which")))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("ordersSpringOutbox")
                                .hasMessageContaining("@OutboxEvent(outbox = ");
                    });
                    Eventually.assertThat(() -> received(context), 2);
                    assertThat(context.getBean("billsOutbox", Outbox.class)
                                    .stats()
                                    .undelivered())
                            .isZero();
                    OutboxMessage message = message(orders, "received");
                    assertThat(context.getBean(SpringInbox.class).process("billing", message, () -> {}))
                            .as("the inbox is in the primary data source, created as its outbox")
                            .isTrue();
                });
    }

    @ParameterizedTest
    @CsvSource({"20s, 5000", "4s, 1000", "500ms, 250"})
    void relayWaitsForAConnectionForAQuarterOfALeaseIfThePoolAllows(String lease, long milliseconds) {
        new ApplicationContextRunner()
                .withUserConfiguration(ActuatorTest.Hanging.class)
                .withPropertyValues(
                        "spring.datasource.generate-unique-name=true",
                        "postrider.schema-mode=create",
                        "postrider.relay.lease=" + lease)
                .run(context -> assertThat(context.getBean(RelayPool.class)
                                .dataSource()
                                .unwrap(HikariDataSource.class)
                                .getConnectionTimeout())
                        .isEqualTo(milliseconds));
    }

    @Test
    void flushesJpaUnlessToldOtherwise() {
        application.run(context ->
                assertThatThrownBy(() -> publishWithoutFlush(context)).hasMessageContaining("set postrider.jpa.flush"));
        application.withPropertyValues("postrider.jpa.flush=false").run(context -> {
            publishWithoutFlush(context);
            Eventually.assertThat(() -> received(context), 1);
        });
    }

    private static void publishWithoutFlush(AssertableApplicationContext context) {
        EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
        inTransaction(context, () -> {
            EntityManagerFactoryUtils.getTransactionalEntityManager(factory)
                    .unwrap(Session.class)
                    .setHibernateFlushMode(FlushMode.MANUAL);
            context.publishEvent(new OrderPlaced("manual"));
        });
    }

    private static OutboxMessage message(SpringOutbox outbox, String key) {
        return outbox.message("orders")
                .key(key)
                .type("com.example.OrderPlaced")
                .json("{}")
                .build();
    }

    private static void inTransaction(AssertableApplicationContext context, Runnable work) {
        assertThat(context).hasNotFailed();
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> work.run());
    }

    private static List<OutboxMessage> received(AssertableApplicationContext context) {
        return context.getBean(Shop.class).received;
    }

    @OutboxEvent(topic = "orders", key = "#{id}")
    record OrderPlaced(String id) {}

    @OutboxEvent(topic = "orders", key = "#{id}", outbox = "orders")
    record OrderShipped(String id) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        final List<OutboxMessage> received = new CopyOnWriteArrayList<>();

        @Bean
        Destination warehouse() {
            return Destination.blocking("warehouse", received::add);
        }
    }

    /** A destination that waits to be told. */
    @Configuration(proxyBeanMethods = false)
    static class Gate {

        final CountDownLatch reached = new CountDownLatch(1);
        final CountDownLatch open = new CountDownLatch(1);

        @Bean
        Destination gate() {
            return Destination.blocking("gate", message -> {
                reached.countDown();
                open.await();
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Watching {

        final List<Thread> fetching = new CopyOnWriteArrayList<>();

        @Bean
        RelayCustomizer watching() {
            return (outbox, relay) -> relay.listener(new RelayListener() {
                @Override
                public void fetched(long batch, int rows, Duration took) {
                    fetching.add(Thread.currentThread());
                }
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Traced implements TraceContext {

        static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

        @Bean
        TraceInterceptor tracing() {
            return new TraceInterceptor(this);
        }

        @Override
        public Optional<String> current() {
            return Optional.of(PARENT);
        }

        @Override
        public Scope continueFrom(String traceParent, String name) {
            return () -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {

        @Bean
        @Primary
        DataSource ordersData() {
            return memory();
        }

        @Bean
        DataSource billsData() {
            return memory();
        }

        private static DataSource memory() {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
            return pool;
        }

        @Bean
        @Primary
        PlatformTransactionManager ordersTransactions(@Qualifier("ordersData") DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        PlatformTransactionManager billsTransactions(@Qualifier("billsData") DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }
}
