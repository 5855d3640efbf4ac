package dev.postrider.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RelayConnectionsTest {

    private static final Duration LEASE = Duration.ofMillis(400);

    /** What the pool has free; a caller waits for one for as long as it takes. */
    private final BlockingQueue<Object> free = new LinkedBlockingQueue<>();

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger returned = new AtomicInteger();
    private final AtomicInteger timeout = new AtomicInteger();
    private final AtomicBoolean knowsTimeouts = new AtomicBoolean(true);
    private final LeaseLimits limits = new LeaseLimits();
    private final RelayConnections connections = new RelayConnections(pool(), limits);

    @BeforeEach
    void setLease() {
        limits.leaseIs(LEASE);
    }

    private DataSource pool() {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    calls.incrementAndGet();
                    Object next = free.take();
                    if (next instanceof Throwable failure) {
                        throw failure;
                    }
                    return next;
                });
    }

    private Connection connection() {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    switch (method.getName()) {
                        case "close" -> returned.incrementAndGet();
                        case "getNetworkTimeout" -> {
                            return timeout.get();
                        }
                        case "setNetworkTimeout" -> setTimeout((int) arguments[1]);
                        default -> throw new AssertionError(method);
                    }
                    return null;
                });
    }

    private void setTimeout(int millis) throws SQLException {
        if (!knowsTimeouts.get()) {
            throw new SQLFeatureNotSupportedException();
        }
        timeout.set(millis);
    }

    @Test
    void waitsForAConnectionForAQuarterOfTheLease() {
        assertThatThrownBy(connections::borrow)
                .isInstanceOf(SQLTransientConnectionException.class)
                .hasMessageContaining("no connection within 100 ms, a quarter of the lease")
                .hasMessageContaining("a small pool of its own");
    }

    @Test
    void keepsItsPlaceInTheQueueOfThePool() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(connections::borrow).isInstanceOf(SQLTransientConnectionException.class);
        }
        limits.leaseIs(Duration.ofHours(1));
        FutureTask<LentConnection> waiting = new FutureTask<>(connections::borrow);
        Thread thread = new Thread(waiting);
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }

        Connection first = connection();
        free.add(first);

        assertThat(waiting.get().get()).isSameAs(first);
        assertThat(calls).as("calls of the pool").hasValue(1);
        assertThat(returned).hasValue(0);
    }

    @Test
    void hangsOneThreadHoweverManyAndHoweverOftenTheyAsk() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Callable<LentConnection>> four = Collections.nCopies(4, connections::borrow);
        try {
            for (int round = 0; round < 3; round++) {
                for (Future<LentConnection> each : threads.invokeAll(four)) {
                    assertThatThrownBy(each::get).hasCauseInstanceOf(SQLTransientConnectionException.class);
                }
            }
            assertThat(calls).as("calls of the pool").hasValue(1);

            limits.leaseIs(Duration.ofHours(1));
            free.addAll(Stream.generate(this::connection).limit(5).toList());
            for (Future<LentConnection> each : threads.invokeAll(four)) {
                each.get().close();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void saysOnceThatThePoolHangsAndOnceThatItIsBack() throws SQLException {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(RelayConnections.class);
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.INFO);
        try {
            for (int i = 0; i < 8; i++) {
                assertThatThrownBy(connections::borrow).isInstanceOf(SQLTransientConnectionException.class);
            }
            limits.leaseIs(Duration.ofHours(1));
            // The first may arrive while nobody waits, and is returned.
            free.addAll(Stream.generate(this::connection).limit(3).toList());
            connections.borrow().close();
            connections.borrow().close();
        } finally {
            logger.detachAppender(log);
            logger.setLevel(null);
        }
        assertThat(log.list)
                .extracting(
                        ILoggingEvent::getLevel,
                        event -> event.getFormattedMessage().replaceFirst("(returned) .*", "$1"))
                .containsExactly(
                        tuple(Level.ERROR, "DataSource.getConnection() has not returned"),
                        tuple(Level.INFO, "DataSource.getConnection() has returned"));
    }

    @Test
    void returnsAConnectionThatArrivesWhenNobodyWaits() throws Exception {
        assertThatThrownBy(connections::borrow).isInstanceOf(SQLTransientConnectionException.class);
        free.add(connection());
        while (returned.get() == 0) {
            Thread.onSpinWait();
        }

        Connection second = connection();
        free.add(second);
        try (LentConnection lent = connections.borrow()) {
            assertThat(lent.get()).isSameAs(second);
        }
        assertThat(returned).hasValue(2);
    }

    @Test
    void passesOnWhatThePoolThrows() {
        free.add(new SQLException("refused"));
        assertThatThrownBy(connections::borrow).isInstanceOf(SQLException.class).hasMessage("refused");
        free.add(new IllegalStateException("closed"));
        assertThatThrownBy(connections::borrow)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("closed");
    }

    @Test
    void servesAThreadThatIsInterrupted() throws SQLException {
        free.add(connection());
        Thread.currentThread().interrupt();

        connections.borrow().close();

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void limitsTheWaitForAnAnswerToHalfOfTheLeaseAndRestoresIt() throws SQLException {
        free.add(connection());
        try (LentConnection lent = connections.borrow()) {
            assertThat(lent.get().getNetworkTimeout()).isEqualTo(200);
        }
        assertThat(timeout).hasValue(0);
        assertThat(returned).hasValue(1);
    }

    @Test
    void leavesAShorterTimeoutAsItIs() throws SQLException {
        timeout.set(150);
        free.add(connection());
        try (LentConnection lent = connections.borrow()) {
            assertThat(lent.get().getNetworkTimeout()).isEqualTo(150);
        }
        assertThat(timeout).hasValue(150);
    }

    @Test
    void doesWithoutATimeoutWhereTheDriverHasNone() throws SQLException {
        knowsTimeouts.set(false);
        free.add(connection());
        connections.borrow().close();
        assertThat(returned).hasValue(1);
    }
}
