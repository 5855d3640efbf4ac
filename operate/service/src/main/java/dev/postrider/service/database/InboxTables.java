package dev.postrider.service.database;

import dev.postrider.store.h2.H2InboxStore;
import dev.postrider.store.jdbc.InboxStoreBuilder;
import dev.postrider.store.mysql.Flavor;
import dev.postrider.store.mysql.MysqlInboxStore;
import dev.postrider.store.postgres.PostgresInboxStore;
import java.util.Optional;
import javax.sql.DataSource;

/** The tables of an inbox in one of the databases: calls the builder of the right store. */
public final class InboxTables {

    private InboxTables() {}

    /** An inbox in this database. */
    public static InboxStoreBuilder builder(DatabaseKind kind, DataSource dataSource) {
        return switch (kind) {
            case POSTGRES -> PostgresInboxStore.builder(dataSource);
            case H2 -> H2InboxStore.builder(dataSource);
            case MYSQL, MARIADB, TIDB -> MysqlInboxStore.builder(dataSource);
        };
    }

    /** The SQL that creates the tables. Needs no server. */
    public static String sql(DatabaseKind kind, Optional<String> schema, Optional<String> prefix) {
        InboxStoreBuilder builder = switch (kind) {
            case POSTGRES, H2 -> builder(kind, NoDatabase.dataSource());
            case MYSQL -> MysqlInboxStore.builder(NoDatabase.dataSource(), Flavor.MYSQL);
            case MARIADB -> MysqlInboxStore.builder(NoDatabase.dataSource(), Flavor.MARIADB);
            case TIDB -> MysqlInboxStore.builder(NoDatabase.dataSource(), Flavor.TIDB);
        };
        schema.ifPresent(builder::schema);
        prefix.ifPresent(builder::prefix);
        return builder.schemaSql();
    }
}
