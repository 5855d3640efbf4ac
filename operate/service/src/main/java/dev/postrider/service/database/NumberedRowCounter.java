package dev.postrider.service.database;

import dev.postrider.service.database.TableCounters.RowCounter;
import dev.postrider.service.database.TableCounters.Sample;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the server does not count, or tells administrators only, the numbers of the rows do: the next one says how many came, and
 * those that came and are not there have gone. Of a large backlog only the lowest number is asked: all below it have gone.
 */
record NumberedRowCounter(DatabaseKind kind, StoreSettings settings) implements RowCounter {

    private static final int BOUND = 10_000;
    private static final Pattern NEXT = Pattern.compile("\\bAUTO_INCREMENT=(\\d+)");

    @Override
    public Optional<Sample> read(Connection connection) throws SQLException {
        // What is numbered and not committed yet has not gone.
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
        String table = SqlTable.of(connection, settings, "");
        try (Statement statement = connection.createStatement()) {
            long there = number(
                    statement, "SELECT COUNT(*) FROM (SELECT 1 AS one FROM %s LIMIT %d) t".formatted(table, BOUND + 1));
            long came = next(statement, table) - 1;
            long went = there <= BOUND ? came - there : number(statement, "SELECT MIN(seq) FROM " + table) - 1;
            return Optional.of(Sample.now(came, went));
        }
    }

    private long next(Statement statement, String table) throws SQLException {
        return kind == DatabaseKind.H2 ? number(statement, nextOnH2()) : ofDefinition(statement, table);
    }

    /** Names were validated when they were set, so they need no quoting inside a text. */
    private String nextOnH2() {
        return "SELECT IDENTITY_BASE FROM INFORMATION_SCHEMA.COLUMNS WHERE COLUMN_NAME = 'SEQ' AND TABLE_NAME = '%s' AND TABLE_SCHEMA = %s"
                .formatted(
                        settings.prefixName(),
                        settings.schemaName().map(name -> "'" + name + "'").orElse("CURRENT_SCHEMA"));
    }

    /** INFORMATION_SCHEMA of MySQL remembers the number for a day; the definition has it as it is. */
    private static long ofDefinition(Statement statement, String table) throws SQLException {
        try (ResultSet row = statement.executeQuery("SHOW CREATE TABLE " + table)) {
            row.next();
            Matcher next = NEXT.matcher(row.getString(2));
            return next.find() ? Long.parseLong(next.group(1)) : 1;
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
