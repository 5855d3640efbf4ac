package dev.postrider.service.database;

import dev.postrider.internal.SafeText;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Tries whether every table is there, has its columns, and may be used as a relay uses it.
 *
 * <p>Each try is a statement that can match no row: the server checks names and privileges before it looks for rows. Nothing is
 * changed. Thread-safe.
 */
public final class TableProbe {

    private static final String MESSAGE =
            "id, foreign_id, topic, message_key, type, headers, content_type, payload, created_at";

    private static final List<Table> RELAY = List.of(
            new Table("", "lane, seq, " + MESSAGE, "rd"),
            new Table("_lane", "lane, owner, epoch, lease_until, scan_position", "ru"),
            new Table(
                    "_held",
                    "lane, seq, " + MESSAGE + ", destination, attempts, next_attempt_at, blocked, last_error, failures",
                    "riud"),
            new Table("_delayed", "lane, due_at, " + MESSAGE, "rld"),
            new Table(
                    "_dead",
                    "lane, seq, " + MESSAGE + ", reason, attempts, last_error, failures, died_at, retry_requested",
                    "rid"),
            new Table("_member", "owner, started_at, heartbeat_at, report", "riud"),
            new Table("_meta", "name", "r"),
            new Table("_control", "kind, name", "r"),
            new Table("_operation", "id, happened_at, operator, action, details, affected", "e"),
            new Table("_dedup", "dedup_key, message_id, created_at", "e"),
            new Table("_task", "name, owner, lease_until", "e"));
    private static final Table RELAY_AUDIT = new Table("_sent", "lane, seq, " + MESSAGE + ", delivered_at", "ea");

    private static final List<Table> MAINTENANCE = List.of(
            new Table("_dead", "id, died_at", "rld"),
            new Table("_dedup", "dedup_key, created_at", "rd"),
            new Table("_task", "name, owner, lease_until", "riu"));
    private static final Table MAINTENANCE_AUDIT = new Table("_sent", "delivered_at", "rd");

    private static final String LOCK = " FOR UPDATE";

    /** Refused for want of a privilege: the standard, MySQL and its kin (a command, a column), H2. */
    private static final Set<String> NO_PRIVILEGE = Set.of("42501", "1142", "1143", "90096");

    /**
     * A table, the columns that must be there, and what is done to it: r read, i insert, u update, l lock, d delete, a add what was
     * delivered; e only that it exists, which someone who may not read it need not prove.
     */
    private record Table(String suffix, String columns, String uses) {}

    private final DataSource dataSource;
    private final StoreSettings settings;

    public TableProbe(DataSource dataSource, StoreSettings settings) {
        this.dataSource = dataSource;
        this.settings = settings;
    }

    /**
     * What a relay lacks, one line each; empty when all is well.
     *
     * @param withAudit whether there is an audit trail
     */
    public List<String> problems(boolean withAudit) {
        return problems(RELAY, withAudit ? List.of(RELAY_AUDIT) : List.of());
    }

    /**
     * What cleaning up lacks, one line each; empty when all is well.
     *
     * @param withAudit whether there is an audit trail
     */
    public List<String> maintenanceProblems(boolean withAudit) {
        return problems(MAINTENANCE, withAudit ? List.of(MAINTENANCE_AUDIT) : List.of());
    }

    private List<String> problems(List<Table> always, List<Table> audit) {
        List<Table> tables = new ArrayList<>(always);
        tables.addAll(audit);
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(true);
            List<String> problems = new ArrayList<>();
            for (Table table : tables) {
                problems.addAll(problems(connection, table));
            }
            return problems;
        } catch (SQLException failure) {
            return List.of("Could not look at the tables: " + SafeText.of(String.valueOf(failure.getMessage())));
        }
    }

    private List<String> problems(Connection connection, Table table) throws SQLException {
        String name = settings.given().prefix() + table.suffix();
        List<String> problems = new ArrayList<>();
        for (char use : table.uses().toCharArray()) {
            String sql = statement(
                    use,
                    SqlTable.of(connection, settings, table.suffix()),
                    SqlTable.of(connection, settings, ""),
                    table);
            problems.addAll(tryOut(connection, name, sql, use == 'e' ? NO_PRIVILEGE : Set.of()));
            if ((use == 'r' || use == 'e') && !problems.isEmpty()) {
                // Further tries would only repeat it.
                return problems;
            }
        }
        return problems;
    }

    private static String statement(char use, String table, String hot, Table probe) {
        String first = probe.columns().split(",", 2)[0];
        return switch (use) {
            case 'r', 'e' -> "SELECT " + probe.columns() + " FROM " + table + " WHERE 1 = 0";
            case 'i' -> "INSERT INTO %1$s SELECT * FROM %1$s WHERE 1 = 0".formatted(table);
            case 'l' -> "SELECT " + first + " FROM " + table + " WHERE 1 = 0" + LOCK;
            case 'a' ->
                "INSERT INTO %1$s (%3$s, delivered_at) SELECT %3$s, created_at FROM %2$s WHERE 1 = 0"
                        .formatted(table, hot, "lane, seq, " + MESSAGE);
            case 'u' -> "UPDATE %1$s SET %2$s = %2$s WHERE 1 = 0".formatted(table, first);
            default -> "DELETE FROM " + table + " WHERE 1 = 0";
        };
    }

    private static List<String> tryOut(Connection connection, String table, String sql, Set<String> allowed) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return List.of();
        } catch (SQLException refused) {
            if (allowed.contains(refused.getSQLState()) || allowed.contains(String.valueOf(refused.getErrorCode()))) {
                return List.of();
            }
            String verb = sql.endsWith(LOCK) ? "Locking reads" : sql.substring(0, sql.indexOf(' '));
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
