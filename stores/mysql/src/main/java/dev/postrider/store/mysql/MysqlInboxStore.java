package dev.postrider.store.mysql;

import dev.postrider.internal.Internal;
import dev.postrider.message.MessageLimits;
import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.Dialect;
import dev.postrider.store.jdbc.InboxStoreBuilder;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.Migration;
import dev.postrider.store.jdbc.SchemaScripts;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * Builds an inbox in MySQL, MariaDB or TiDB: a table of its own, in the database in which handlers make their changes.
 *
 * <pre>{@code
 * Inbox inbox = Inbox.over(MysqlInboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build());
 * }</pre>
 */
public final class MysqlInboxStore {

    private MysqlInboxStore() {}

    /** An inbox in this database. Asks the server what it is when the store is built. */
    public static InboxStoreBuilder builder(DataSource dataSource) {
        return new InboxStoreBuilder(
                dataSource,
                () -> dialect(readServer(dataSource)),
                context -> migrations(context, readServer(dataSource)));
    }

    /** An inbox in a server of this kind, to print its SQL, for which the server is not asked. */
    @Internal
    public static InboxStoreBuilder builder(DataSource dataSource, Flavor flavor) {
        ServerFacts oldest = new ServerFacts(flavor.oldest(), Map.of());
        return new InboxStoreBuilder(dataSource, () -> dialect(oldest), context -> migrations(context, oldest));
    }

    private static Dialect dialect(ServerFacts server) {
        long packet = server.number("max_allowed_packet", Long.MAX_VALUE);
        return MysqlDialect.of(server.version(), InsertSize.payloadBytes(packet, MessageLimits.defaults()));
    }

    private static List<Migration> migrations(JdbcContext context, ServerFacts server) {
        Map<String, String> values =
                Map.of("database", server.flavor().label(), "table_options", MysqlSchema.tableOptions(server.flavor()));
        SchemaScripts scripts = new SchemaScripts(MysqlInboxStore.class, context, values);
        return List.of(new Migration(1, scripts.read("inbox_V001__create_inbox.sql")));
    }

    private static ServerFacts readServer(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return ServerFacts.read(connection);
        } catch (SQLException error) {
            throw new StoreException("Could not ask the server of an inbox what it is", error);
        }
    }
}
