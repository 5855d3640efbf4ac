package dev.postrider.store.mysql;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.spi.InboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.InboxContract;
import javax.sql.DataSource;

class MariadbInboxIT extends InboxContract {

    @Override
    protected DataSource openDatabase() {
        return TestServer.MARIADB.newDatabase("inbox");
    }

    @Override
    protected InboxStore createInbox(DataSource database) {
        return MysqlInboxStore.builder(database).schemaMode(SchemaMode.CREATE).build();
    }

    @Override
    protected void closeDatabase(DataSource database) {
        ((HikariDataSource) database).close();
    }
}
