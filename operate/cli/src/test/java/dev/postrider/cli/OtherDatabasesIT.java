package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.PostriderException;
import dev.postrider.store.existing.Preset;
import dev.postrider.store.existing.StatusOutboxStore;
import dev.postrider.store.h2.H2InboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.mysql.MysqlInboxStore;
import dev.postrider.store.mysql.MysqlOutboxStore;
import dev.postrider.store.postgres.PostgresInboxStore;
import dev.postrider.store.postgres.PostgresOutboxStore;
import dev.postrider.testservers.Servers;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store whose data source leads to another database says so, before it creates or reads anything there. */
class OtherDatabasesIT {

    @ParameterizedTest
    @EnumSource(names = {"CREATE", "VERIFY"})
    void storesRefuseAnyOtherDatabase(SchemaMode mode) {
        DataSource postgres = Servers.postgres().createDatabase("other").dataSource();
        DataSource mysql = Servers.mysql().createDatabase("other").dataSource();
        DataSource mariadb = Servers.mariadb().createDatabase("other").dataSource();

        for (Function<DataSource, Object> store : List.<Function<DataSource, Object>>of(
                from -> PostgresOutboxStore.builder(from).schemaMode(mode).build(),
                from -> PostgresInboxStore.builder(from).schemaMode(mode).build())) {
            refuses(
                    store,
                    mysql,
                    "This store is for PostgreSQL, but its data source leads to MySQL. Use the store for MySQL");
            refuses(store, mariadb, "This store is for PostgreSQL, but its data source leads to MariaDB");
            refuses(store, h2(), "This store is for PostgreSQL, but its data source leads to H2");
        }
        for (Function<DataSource, Object> store : List.<Function<DataSource, Object>>of(
                from -> MysqlOutboxStore.builder(from).schemaMode(mode).build(),
                from -> MysqlInboxStore.builder(from).schemaMode(mode).build())) {
            refuses(store, postgres, "This store is for MySQL, MariaDB, TiDB, but its data source leads to PostgreSQL");
            refuses(store, h2(), "This store is for MySQL, MariaDB, TiDB, but its data source leads to H2");
        }
        for (Function<DataSource, Object> store : List.<Function<DataSource, Object>>of(
                from -> H2OutboxStore.builder(from).schemaMode(mode).build(),
                from -> H2InboxStore.builder(from).schemaMode(mode).build())) {
            refuses(store, postgres, "This store is for H2, but its data source leads to PostgreSQL");
            refuses(store, mysql, "This store is for H2, but its data source leads to MySQL");
        }
    }

    @Test
    void existingTablesAreNotServedInH2() {
        refuses(
                from -> StatusOutboxStore.builder(from, Preset.EVENT_OUTBOX.mapping())
                        .build(),
                h2(),
                "Existing tables are served in PostgreSQL, MySQL, MariaDB and TiDB, but the data source leads to H2");
    }

    private static DataSource h2() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:");
        return dataSource;
    }

    private static void refuses(Function<DataSource, Object> store, DataSource dataSource, String reason) {
        assertThatThrownBy(() -> store.apply(dataSource))
                .isInstanceOf(PostriderException.class)
                .hasMessageContaining(reason)
                .hasMessageContaining("orrect the data source");
    }
}
