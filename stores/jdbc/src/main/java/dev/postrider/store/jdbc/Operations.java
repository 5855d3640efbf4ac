package dev.postrider.store.jdbc;

import dev.postrider.internal.StoredText;
import dev.postrider.message.MessageIdGenerator;
import java.sql.Connection;
import java.sql.SQLException;

/** Who did what, and when: one row for each change that an operator makes, in the transaction that makes it. */
final class Operations {

    private static final int MAX_OPERATOR_LENGTH = 255;

    private final JdbcContext context;
    private final String insert;

    Operations(JdbcContext context) {
        this.context = context;
        this.insert =
                """
                INSERT INTO %s (id, happened_at, operator, action, details, affected) VALUES (?, %s, ?, ?, ?, ?)""".formatted(context.tables().operation(), context.dialect().now());
    }

    void record(Connection connection, String action, String details, int affected, String operator)
            throws SQLException {
        try (SqlStatement statement = context.prepare(connection, insert)) {
            statement
                    .with(MessageIdGenerator.uuidV7().next())
                    .with(stored(operator))
                    .with(action)
                    .with(StoredText.of(details))
                    .with(affected)
                    .update();
        }
    }

    /** The operator's name, cut to the length that its column has. */
    static String stored(String operator) {
        return StoredText.of(operator, MAX_OPERATOR_LENGTH);
    }
}
