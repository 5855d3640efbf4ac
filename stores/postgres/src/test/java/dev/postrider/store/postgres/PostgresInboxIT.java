package dev.postrider.store.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.spi.InboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.InboxContract;
import dev.postrider.testservers.Servers;
import javax.sql.DataSource;

class PostgresInboxIT extends InboxContract {

    @Override
    protected DataSource openDatabase() {
        return TestOutbox.pool(Servers.postgres().createDatabase("inbox").dataSource());
    }

    @Override
    protected InboxStore createInbox(DataSource database) {
        return PostgresInboxStore.builder(database)
                .schemaMode(SchemaMode.CREATE)
                .build();
    }

    @Override
    protected void closeDatabase(DataSource database) {
        ((HikariDataSource) database).close();
    }
}
