package dev.postrider.faults;

import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.mysql.MysqlOutboxStore;
import dev.postrider.store.postgres.PostgresOutboxStore;
import javax.sql.DataSource;

/** Opens the outbox of a database, whatever its kind. */
final class Stores {

    /** More than the relays of any test, so that each has several. */
    private static final int LANES = 12;

    private Stores() {}

    static OutboxStore open(String jdbcUrl, DataSource dataSource, SchemaMode mode) {
        return jdbcUrl.startsWith("jdbc:postgresql:")
                ? PostgresOutboxStore.builder(dataSource)
                        .lanes(LANES)
                        .schemaMode(mode)
                        .build()
                : MysqlOutboxStore.builder(dataSource)
                        .lanes(LANES)
                        .schemaMode(mode)
                        .build();
    }
}
