package dev.postrider.service.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Tries whether every table is there, has its columns, and may be used as a relay uses it.
 *
 * <p>Each try is a statement that can match no row: the server checks names and privileges before it looks for rows. Nothing is
 * changed. Thread-safe.
 */
public final class TableProbe {

    private static final String MESSAGE = "id, topic, message_key, type, headers, content_type, payload, created_at";

    private static final List<Table> TABLES = List.of(
            new Table("", "lane, seq, " + MESSAGE, "rd"),
            new Table("_lane", "lane, owner, epoch, lease_until, scan_position", "ru"),
            new Table("_held", "lane, seq, " + MESSAGE + ", attempts, next_attempt_at, blocked, last_error", "riud"),
            new Table("_delayed", "lane, due_at, " + MESSAGE, "rd"),
            new Table(
                    "_dead",
                    "lane, seq, " + MESSAGE + ", reason, attempts, last_error, died_at, retry_requested",
                    "riud"),
            new Table("_member", "owner, started_at, heartbeat_at", "riud"),
            new Table("_meta", "name", "r"),
            new Table("_control", "kind, name, set_by, set_at", "rid"),
            new Table("_operation", "id, happened_at, operator, action, details, affected", "ri"),
            new Table("_dedup", "dedup_key, message_id, created_at", "rid"),
            new Table("_task", "name, owner, lease_until", "riu"));
    private static final Table AUDIT = new Table("_sent", "lane, seq, " + MESSAGE + ", delivered_at", "rid");

    /** A table, the columns that must be there, and what is done to it: read, insert, update, delete. */
    private record Table(String suffix, String columns, String uses) {}

    private final DataSource dataSource;
    private final StoreSettings settings;

    public TableProbe(DataSource dataSource, StoreSettings settings) {
        this.dataSource = dataSource;
        this.settings = settings;
    }

    /**
     * What is missing, one line each; empty when all is well.
     *
     * @param withAudit whether there is an audit trail
     */
    public List<String> problems(boolean withAudit) {
        List<Table> tables = new ArrayList<>(TABLES);
        if (withAudit) {
            tables.add(AUDIT);
        }
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(true);
            String quote = connection.getMetaData().getIdentifierQuoteString().strip();
            List<String> problems = new ArrayList<>();
            for (Table table : tables) {
                problems.addAll(problems(connection, table, quote));
            }
            return problems;
        } catch (SQLException failure) {
            return List.of("Could not look at the tables: " + SafeText.of(String.valueOf(failure.getMessage())));
        }
    }

    private List<String> problems(Connection connection, Table table, String quote) {
        String name = settings.given().prefix() + table.suffix();
        String sql = settings.given()
                        .schema()
                        .map(schema -> quote + schema + quote + ".")
                        .orElse("")
                + quote
                + name
                + quote;
        List<String> problems = new ArrayList<>();
        for (char use : table.uses().toCharArray()) {
            problems.addAll(tryOut(connection, name, statement(use, sql, table)));
            if (use == 'r' && !problems.isEmpty()) {
                // Further tries would only repeat it.
                return problems;
            }
        }
        return problems;
    }

    private static String statement(char use, String table, Table probe) {
        String first = probe.columns().split(",", 2)[0];
        return switch (use) {
            case 'r' -> "SELECT " + probe.columns() + " FROM " + table + " WHERE 1 = 0";
            case 'i' -> "INSERT INTO %1$s SELECT * FROM %1$s WHERE 1 = 0".formatted(table);
            case 'u' -> "UPDATE %1$s SET %2$s = %2$s WHERE 1 = 0".formatted(table, first);
            default -> "DELETE FROM " + table + " WHERE 1 = 0";
        };
    }

    private static List<String> tryOut(Connection connection, String table, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return List.of();
        } catch (SQLException refused) {
            String verb = sql.substring(0, sql.indexOf(' '));
            return List.of("%s on table %s: %s"
                    .formatted(
                            verb,
                            table,
                            String.valueOf(refused.getMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse("")
                                    .replace("; SQL statement:", "")));
        }
    }
}
