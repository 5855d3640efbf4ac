package dev.postrider.spring.boot;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.service.OutboxConfig;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Connections of the relay's own, so that a pool exhausted by requests does not stop delivery, and delivery takes none from requests. Where
 * the application's pool is not HikariCP, its own data source is used.
 */
final class RelayPool implements AutoCloseable {

    /** Beside one for each worker: for the keeper, statistics and operators. */
    private static final int BESIDE_WORKERS = 3;

    /** HikariCP refuses less. It is a quarter of a lease of one second, and half of the shortest lease. */
    private static final Duration SHORTEST_WAIT = Duration.ofMillis(250);

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final DataSource dataSource;
    private final Optional<HikariDataSource> own;

    private RelayPool(DataSource dataSource, Optional<HikariDataSource> own) {
        this.dataSource = dataSource;
        this.own = own;
    }

    static RelayPool shared(DataSource dataSource) {
        return new RelayPool(dataSource, Optional.empty());
    }

    static RelayPool own(String outbox, DataSource dataSource, OutboxConfig config) {
        // A worker that waits for a connection longer than half a lease has lost its lanes when it gets one.
        long quarter = config.lease().dividedBy(4).toMillis();
        long wait = Math.max(SHORTEST_WAIT.toMillis(), Math.min(LONGEST_WAIT.toMillis(), quarter));
        return of(dataSource, "postrider-" + outbox, config.workers() + BESIDE_WORKERS, wait);
    }

    /** For operators, who look now and then: closed when nobody does. */
    static RelayPool ofConsole(String outbox, DataSource dataSource, int connections) {
        return of(dataSource, "postrider-console-" + outbox, connections, LONGEST_WAIT.toMillis());
    }

    private static RelayPool of(DataSource dataSource, String name, int size, long wait) {
        Optional<HikariDataSource> pool = hikari(dataSource).map(given -> copy(given, name, size, wait));
        return new RelayPool(pool.<DataSource>map(each -> each).orElse(dataSource), pool);
    }

    /** Not behind a router: which database it leads to is decided by each thread. */
    private static Optional<HikariDataSource> hikari(DataSource dataSource) {
        try {
            return dataSource instanceof AbstractRoutingDataSource || !dataSource.isWrapperFor(HikariDataSource.class)
                    ? Optional.empty()
                    : Optional.of(dataSource.unwrap(HikariDataSource.class));
        } catch (SQLException unknown) {
            return Optional.empty();
        }
    }

    private static HikariDataSource copy(HikariDataSource given, String name, int size, long wait) {
        HikariConfig copy = new HikariConfig();
        given.copyStateTo(copy);
        copy.setPoolName(name);
        copy.setMaximumPoolSize(size);
        copy.setMinimumIdle(1);
        copy.setAutoCommit(true);
        copy.setReadOnly(false);
        copy.setRegisterMbeans(false);
        copy.setInitializationFailTimeout(-1);
        copy.setConnectionTimeout(wait);
        copy.setValidationTimeout(Math.min(wait, copy.getValidationTimeout()));
        return new HikariDataSource(copy);
    }

    DataSource dataSource() {
        return dataSource;
    }

    boolean isOwn() {
        return own.isPresent();
    }

    @Override
    public void close() {
        own.ifPresent(HikariDataSource::close);
    }
}
