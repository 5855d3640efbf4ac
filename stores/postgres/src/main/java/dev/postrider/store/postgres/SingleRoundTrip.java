package dev.postrider.store.postgres;

import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.TransactionRunner;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Sends a whole transaction as one string of statements: its isolation level, its settings, the statements themselves and
 * the commit. It costs one round trip, and leaves nothing in the session.
 *
 * <p>The client never waits inside such a transaction, so that a stopped process cannot leave it open. Thread-safe.
 */
final class SingleRoundTrip {

    private static final String END = ";\n";

    private final JdbcContext context;

    SingleRoundTrip(JdbcContext context) {
        this.context = context;
    }

    /** What a statement returned, one result set after the other. */
    interface Reading<T> {
        T read(Results results) throws SQLException;
    }

    /** @param mode as in {@code SET TRANSACTION ISOLATION LEVEL …} */
    static String text(String mode, String... statements) {
        return "SET TRANSACTION ISOLATION LEVEL " + mode + END + String.join(END, statements) + END + "COMMIT";
    }

    <T> T run(String purpose, String text, Query.Binding binding, Reading<T> reading) {
        TransactionRunner transactions = context.transactions();
        String limit =
                transactions.limits().statement().map(PostgresDialect::limit).orElseThrow();
        // Not before the isolation level, which must come first: behind a savepoint, which a driver may set, it is
        // refused.
        String limited = text.replaceFirst(END, END + limit + END);
        return transactions.inOneTrip(purpose, connection -> execute(connection, limited, binding, reading));
    }

    private static <T> T execute(Connection connection, String text, Query.Binding binding, Reading<T> reading)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            binding.bind(new Parameters(connection, statement));
            statement.execute();
            return reading.read(new Results(statement));
        }
    }

    /** The result sets of the statements in order; those that return none are passed over. */
    static final class Results {

        private final PreparedStatement statement;

        private Results(PreparedStatement statement) {
            this.statement = statement;
        }

        /** Closes the one before. The first statement, which sets the isolation level, has none. */
        ResultSet next() throws SQLException {
            while (!statement.getMoreResults()) {
                if (statement.getUpdateCount() == -1) {
                    throw new SQLException("The driver returned fewer results than statements were sent");
                }
            }
            return statement.getResultSet();
        }
    }
}
