package dev.postrider.store.postgres;

import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.SqlStatement;
import dev.postrider.store.jdbc.TableName;
import dev.postrider.store.jdbc.TableNames;

/**
 * A random token in an UNLOGGED table, which the server empties after a crash and on promotion: exactly when it may hand out
 * transaction numbers again that a remembered snapshot takes for finished.
 */
final class Incarnation {

    private final JdbcContext context;
    private final String plant;

    Incarnation(JdbcContext context) {
        this.context = context;
        this.plant = "INSERT INTO %s (token) VALUES (gen_random_uuid()) ON CONFLICT DO NOTHING"
                .formatted(table(context.tables()));
    }

    static TableName table(TableNames tables) {
        return tables.named("_incarnation");
    }

    /** Writes a token if there is none; whoever comes first wins. */
    void plant() {
        context.transactions().run("write an incarnation token", connection -> {
            try (SqlStatement statement = context.prepare(connection, plant)) {
                statement.update();
            }
        });
    }
}
