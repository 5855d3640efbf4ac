package dev.postrider.store.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.AlreadyInTransactionException;
import dev.postrider.Inbox;
import dev.postrider.NoTransactionException;
import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.assertj.core.api.AbstractThrowableAssert;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What Postrider does inside a transaction of Spring: it takes part in that one or refuses, and never begins a second one. */
class SpringTransactionsTest {

    private final DataSource dataSource = database();
    private final DataSource aware = new TransactionAwareDataSourceProxy(dataSource);
    private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
    private final TransactionTemplate spring = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
    private final OutboxStore store =
            H2OutboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build();
    private final Outbox outbox = Outbox.withDefaults(store);
    private final Inbox inbox = Inbox.over(
            H2InboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build());

    private static DataSource database() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        new JdbcTemplate(dataSource).execute("CREATE TABLE orders (id VARCHAR(40) PRIMARY KEY)");
        return dataSource;
    }

    @AfterEach
    void shutDown() {
        H2Fixture.shutDown(dataSource);
    }

    @Test
    void refusesASecondTransactionBesideThatOfSpring() {
        assertRefusedAndNothingIsWritten(dataSource, outbox);
    }

    @Test
    void refusesToCommitTheTransactionOfSpring() {
        assertRefusedAndNothingIsWritten(aware, outbox);
    }

    @Test
    void refusesItAlsoWhereThePoolDisablesAutoCommit() {
        assertRefusedAndNothingIsWritten(withoutAutoCommit(), withPoolThatDisablesAutoCommit());
    }

    private void assertRefusedAndNothingIsWritten(DataSource given, Outbox outbox) {
        spring.executeWithoutResult(status -> {
            insertOrder();
            assertThatThrownBy(() -> outbox.inTransaction(given, tx -> tx.enqueue(message())))
                    .isInstanceOf(AlreadyInTransactionException.class)
                    .hasMessageContaining("transaction of Spring")
                    .hasMessageContaining("outbox.enqueue(connection, ...)")
                    .hasMessageContaining("DataSourceUtils.getConnection(dataSource)");
            status.setRollbackOnly();
        });

        assertThat(orders()).isZero();
        assertThat(outbox.stats().undelivered()).isZero();
    }

    /** It may be a pool's wrapper that Spring does not know. */
    @Test
    void refusesADataSourceThatLeadsToTheSameDatabase() {
        assertRefusedAndNothingIsWritten(wrapped(dataSource), outbox);
    }

    /** As libraries that count or log statements do it. */
    private static DataSource wrapped(DataSource target) {
        return (DataSource) Proxy.newProxyInstance(
                SpringTransactionsTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> method.invoke(target, arguments));
    }

    /** A transaction of JTA, for example: it may be one on any database. */
    @Test
    void refusesWhereTheTransactionDoesNotTellItsDatabases() {
        TransactionSynchronizationManager.initSynchronization();
        TransactionSynchronizationManager.setActualTransactionActive(true);
        try {
            assertThatThrownBy(() -> outbox.inTransaction(dataSource, tx -> tx.enqueue(message())))
                    .isInstanceOf(AlreadyInTransactionException.class);
        } finally {
            TransactionSynchronizationManager.clear();
        }
    }

    @Test
    void beginsATransactionBesideOneOnAnotherDatabase() {
        DataSource other = database();
        try {
            TransactionTemplate elsewhere = new TransactionTemplate(new DataSourceTransactionManager(other));
            for (DataSource given : new DataSource[] {dataSource, aware, withoutAutoCommit()}) {
                Outbox outbox = given instanceof TransactionAwareDataSourceProxy || given == dataSource
                        ? this.outbox
                        : withPoolThatDisablesAutoCommit();
                elsewhere.executeWithoutResult(status -> {
                    outbox.inTransaction(given, tx -> tx.enqueue(message()));
                    outbox.inTransaction(given, tx -> tx.enqueue(message()));
                    status.setRollbackOnly();
                });
            }
            assertThat(outbox.stats().undelivered()).isEqualTo(6);
        } finally {
            H2Fixture.shutDown(other);
        }
    }

    @Test
    void leavesTheTransactionOfSpringAloneWhateverItDoesByItself() {
        for (DataSource given : new DataSource[] {
            aware,
            new LazyConnectionDataSourceProxy(aware),
            new TransactionAwareDataSourceProxy(aware),
            wrapped(aware),
            new LazyConnectionDataSourceProxy(wrapped(aware))
        }) {
            OutboxStore store = H2OutboxStore.builder(given).build();
            Outbox outbox = Outbox.withDefaults(store);
            spring.executeWithoutResult(status -> {
                insertOrder();
                assertThat(outbox.stats().undelivered()).isZero();
                outbox.wake();
                outbox.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10);
                outbox.deadLetters().count(DeadLetterFilter.all(), 10);
                outbox.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "ann");
                outbox.deadLetters().discard(DeadLetterFilter.all(), 10, "ann");
                store.pauses().pause("out", "ann");
                store.pauses().resume("out", "ann");
                store.unblock(Optional.of("key"), "ann");
                Relay.withDefaults(store, Destination.blocking("out", message -> {}))
                        .drainOnce();
                H2OutboxStore.builder(given).schemaMode(SchemaMode.CREATE).build();
                H2InboxStore.builder(given).schemaMode(SchemaMode.CREATE).build();
                Inbox.over(H2InboxStore.builder(given).build()).cleanUp(Duration.ofDays(1));
                status.setRollbackOnly();
            });
            assertThat(orders()).as("orders").isZero();
        }
    }

    @Test
    void takesPartInTheTransactionOfSpringByItsConnection() {
        spring.executeWithoutResult(status -> {
            insertOrder();
            enqueueInSpring(outbox);
            status.setRollbackOnly();
        });
        assertThat(orders()).isZero();
        assertThat(outbox.stats().undelivered()).isZero();

        spring.executeWithoutResult(status -> {
            insertOrder();
            enqueueInSpring(outbox);
        });
        assertThat(orders()).isOne();
        assertThat(outbox.stats().undelivered()).isOne();
    }

    @Test
    void beginsATransactionWhereThatOfSpringIsSuspended() {
        TransactionTemplate suspended = new TransactionTemplate(spring.getTransactionManager());
        suspended.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);

        spring.executeWithoutResult(status -> {
            suspended.executeWithoutResult(inner -> outbox.inTransaction(dataSource, tx -> tx.enqueue(message())));
            status.setRollbackOnly();
        });

        assertThat(outbox.stats().undelivered()).isOne();
    }

    /** In a listener after the commit, for example: there is no transaction any more that this one could be mistaken for. */
    @Test
    void beginsATransactionWhenThatOfSpringHasEnded() {
        spring.executeWithoutResult(status ->
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCompletion(int result) {
                        assertAdvises("outbox.inTransaction(...)");
                        outbox.inTransaction(dataSource, tx -> tx.enqueue(message()));
                    }
                }));
        assertThat(outbox.stats().undelivered()).isOne();
    }

    @Test
    void doesNotAdviseASecondTransactionToSomebodyInsideOne() {
        spring.executeWithoutResult(status -> {
            assertSaysWhichConnectionToUse(connection -> outbox.enqueue(connection, message()));
            assertSaysWhichConnectionToUse(connection -> inbox.process(connection, "billing", message(), same -> {}));
        });
    }

    @Test
    void advisesTheRightTransactionManagerInATransactionOnAnotherDatabase() {
        DataSource other = database();
        try {
            new TransactionTemplate(new DataSourceTransactionManager(other)).executeWithoutResult(status -> {
                assertAdvises("the transaction manager of the outbox's data source")
                        .hasMessageNotContaining("DataSourceUtils");
                assertThatThrownBy(() -> {
                            try (Connection nobodys = withoutAutoCommit().getConnection()) {
                                withPoolThatDisablesAutoCommit().enqueue(nobodys, message());
                            }
                        })
                        .isInstanceOf(NoTransactionException.class)
                        .hasMessageContaining("the transaction manager of the outbox's data source");
            });
            assertThat(outbox.stats().undelivered()).isZero();
        } finally {
            H2Fixture.shutDown(other);
        }
    }

    /** A transaction of Kafka, for example. */
    @Test
    void advisesTheRightTransactionManagerInATransactionWithoutADatabase() {
        TransactionSynchronizationManager.initSynchronization();
        TransactionSynchronizationManager.setActualTransactionActive(true);
        try {
            assertAdvises("the transaction manager of the outbox's data source")
                    .hasMessageNotContaining("DataSourceUtils");
        } finally {
            TransactionSynchronizationManager.clear();
        }
    }

    @Test
    void doesNotAdviseASecondTransactionInsideOneOfItsOwn() {
        outbox.inTransaction(dataSource, tx -> assertAdvisesAnother("tx.connection()"));
        inbox.inTransaction(dataSource, "billing", message(), connection -> assertAdvisesAnother("tx.connection()"));
        assertAdvises("outbox.inTransaction(...)");
    }

    private void assertAdvisesAnother(String call) {
        assertAdvises(call).hasMessageNotContaining("inTransaction");
    }

    private AbstractThrowableAssert<?, ? extends Throwable> assertAdvises(String call) {
        return assertThatThrownBy(() -> {
                    try (Connection another = dataSource.getConnection()) {
                        outbox.enqueue(another, message());
                    }
                })
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining(call);
    }

    private void assertSaysWhichConnectionToUse(ConnectionUse use) {
        assertThatThrownBy(() -> {
                    try (Connection another = dataSource.getConnection()) {
                        use.accept(another);
                    }
                })
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("DataSourceUtils.getConnection(dataSource)")
                .hasMessageNotContaining("inTransaction");
    }

    @Test
    void theInboxRefusesASecondTransactionToo() {
        for (DataSource given : new DataSource[] {dataSource, aware}) {
            OutboxMessage message = message();
            spring.executeWithoutResult(status -> {
                assertThatThrownBy(() -> inbox.inTransaction(given, "billing", message, connection -> insertOrder()))
                        .isInstanceOf(AlreadyInTransactionException.class)
                        .hasMessageContaining("inbox.process(connection, ...)")
                        .hasMessageContaining("DataSourceUtils.getConnection(dataSource)");
                status.setRollbackOnly();
            });
            assertThat(orders()).isZero();
            assertThat(inbox.inTransaction(dataSource, "billing", message, connection -> {}))
                    .isTrue();
        }
    }

    @Test
    void returnsNoIdThatVanishesWhereThePoolDisablesAutoCommit() throws SQLException {
        DataSource pool = withoutAutoCommit();
        Outbox outbox = withPoolThatDisablesAutoCommit();
        try (Connection connection = pool.getConnection()) {
            assertThatThrownBy(() -> outbox.enqueue(connection, message()))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("poolDisablesAutoCommit")
                    .hasMessageContaining("outbox.inTransaction(...)");
        }
        assertThat(outbox.stats().undelivered()).isZero();

        outbox.inTransaction(pool, tx -> outbox.enqueue(tx.connection(), message()));
        spring.executeWithoutResult(status -> enqueueInSpring(outbox));
        assertThat(outbox.stats().undelivered()).isEqualTo(2);
    }

    private Outbox withPoolThatDisablesAutoCommit() {
        return Outbox.builder(store).poolDisablesAutoCommit(true).build();
    }

    private DataSource withoutAutoCommit() {
        return new DelegatingDataSource(dataSource) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                connection.setAutoCommit(false);
                return connection;
            }
        };
    }

    private void enqueueInSpring(Outbox outbox) {
        outbox.enqueue(DataSourceUtils.getConnection(dataSource), message());
    }

    private OutboxMessage message() {
        return outbox.message("orders").key("order-1").type("placed").build();
    }

    private void insertOrder() {
        jdbc.update("INSERT INTO orders VALUES (?)", UUID.randomUUID().toString());
    }

    private Integer orders() {
        return jdbc.queryForObject("SELECT COUNT(*) FROM orders", Integer.class);
    }

    private interface ConnectionUse {
        void accept(Connection connection);
    }
}
