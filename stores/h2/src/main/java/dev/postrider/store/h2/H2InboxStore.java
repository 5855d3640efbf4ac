package dev.postrider.store.h2;

import dev.postrider.store.jdbc.InboxStoreBuilder;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.Migration;
import dev.postrider.store.jdbc.SchemaScripts;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * Builds an inbox in H2: a table of its own, in the database in which handlers make their changes.
 *
 * <pre>{@code
 * Inbox inbox = Inbox.over(H2InboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build());
 * }</pre>
 */
public final class H2InboxStore {

    private H2InboxStore() {}

    /** An inbox in this database. */
    public static InboxStoreBuilder builder(DataSource dataSource) {
        return new InboxStoreBuilder(dataSource, H2Dialect::new, H2InboxStore::migrations);
    }

    private static List<Migration> migrations(JdbcContext context) {
        SchemaScripts scripts = new SchemaScripts(H2InboxStore.class, context, Map.of());
        return List.of(new Migration(1, scripts.read("inbox_V001__create_inbox.sql")));
    }
}
