package dev.postrider.store.postgres;

import dev.postrider.testkit.StoreContract;
import dev.postrider.testkit.StoreFixture;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.PgBouncer;
import dev.postrider.testservers.PgBouncer.PoolMode;
import dev.postrider.testservers.Servers;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.postgresql.ds.PGSimpleDataSource;

/** The contract: over plain connections, over pools with unusual defaults, and through a transaction pooler. */
class PostgresStoreIT {

    private static final Database DATABASE = Servers.postgres().createDatabase("contract");

    @Nested
    class OnAPlainPool extends StoreContract {
        @Override
        protected StoreFixture newFixture(StoreFixture.Setup setup) {
            return PostgresFixture.open(DATABASE.dataSource(), setup);
        }
    }

    @Nested
    class OnASerializablePoolWithoutAutoCommit extends StoreContract {
        @Override
        protected StoreFixture newFixture(StoreFixture.Setup setup) {
            return openWithIsolation("TRANSACTION_SERIALIZABLE", setup);
        }
    }

    @Nested
    class OnARepeatableReadPoolWithoutAutoCommit extends StoreContract {
        @Override
        protected StoreFixture newFixture(StoreFixture.Setup setup) {
            return openWithIsolation("TRANSACTION_REPEATABLE_READ", setup);
        }
    }

    private static StoreFixture openWithIsolation(String level, StoreFixture.Setup setup) {
        return PostgresFixture.open(DATABASE.dataSource(), DATABASE.dataSource(), setup, pool -> {
            pool.setTransactionIsolation(level);
            pool.setAutoCommit(false);
        });
    }

    @Nested
    class ThroughPgBouncerInTransactionMode extends StoreContract {

        private static PgBouncer bouncer;

        @BeforeAll
        static void start() {
            bouncer = PgBouncer.start(DATABASE.server(), PoolMode.TRANSACTION);
        }

        @AfterAll
        static void stop() {
            bouncer.close();
        }

        @Override
        protected StoreFixture newFixture(StoreFixture.Setup setup) {
            return PostgresFixture.open(DATABASE.dataSource(), throughBouncer(), setup, pool -> {});
        }

        /** Older poolers know no prepared statements; the driver's documentation says to switch them off. */
        private static DataSource throughBouncer() {
            PGSimpleDataSource dataSource = new PGSimpleDataSource();
            dataSource.setUrl(bouncer.jdbcUrl(DATABASE.name()));
            dataSource.setUser(DATABASE.user());
            dataSource.setPassword(DATABASE.password());
            dataSource.setPrepareThreshold(0);
            return dataSource;
        }
    }
}
