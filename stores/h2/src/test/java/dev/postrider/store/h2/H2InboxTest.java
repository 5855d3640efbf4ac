package dev.postrider.store.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.MessageIdGenerator;
import dev.postrider.spi.InboxStore;
import dev.postrider.store.jdbc.SchemaException;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.InboxContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class H2InboxTest extends InboxContract {

    @Override
    protected DataSource openDatabase() {
        return H2Fixture.memoryDatabase();
    }

    @Override
    protected InboxStore createInbox(DataSource database) {
        return H2InboxStore.builder(database).schemaMode(SchemaMode.CREATE).build();
    }

    @Override
    protected void closeDatabase(DataSource database) {
        H2Fixture.shutDown(database);
    }

    @Test
    void stopsTheStartWhereTablesAreMissingOrNewer() throws SQLException {
        DataSource database = openDatabase();
        assertThatThrownBy(() -> H2InboxStore.builder(database).build())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("Inbox inbox has no tables");

        createInbox(database);
        createInbox(database);
        assertThat(H2InboxStore.builder(database).build().name()).isEqualTo("inbox");

        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE \"inbox_meta\" SET \"value\" = '99'");
        }
        assertThatThrownBy(() -> H2InboxStore.builder(database).build())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("Use a newer version");
        closeDatabase(database);
    }

    @Test
    void printsSqlThatCreatesTheTables() throws SQLException {
        DataSource database = openDatabase();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql :
                    H2InboxStore.builder(database).prefix("mine").schemaSql().split(";\n")) {
                statement.execute(sql);
            }
        }

        InboxStore store = H2InboxStore.builder(database).prefix("mine").build();

        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(store.record(
                            connection, "billing", MessageIdGenerator.uuidV7().next()))
                    .isTrue();
        }
        closeDatabase(database);
    }
}
