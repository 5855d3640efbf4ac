package dev.postrider.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The relays that live, as rows of the member table. */
final class Members {

    private final JdbcContext context;
    private final String touch;
    private final String join;
    private final String forgetSilent;
    private final String count;
    private final String remove;

    Members(JdbcContext context) {
        this.context = context;
        Dialect dialect = context.dialect();
        TableName member = context.tables().member();
        this.touch = "UPDATE %s SET heartbeat_at = %s, report = ? WHERE owner = ?".formatted(member, dialect.now());
        this.join = dialect.insertIfAbsent(
                member.sql(),
                List.of("owner", "started_at", "heartbeat_at", "report"),
                List.of("?", dialect.now(), dialect.now(), "?"));
        this.forgetSilent = "DELETE FROM %s WHERE heartbeat_at < %s".formatted(member, dialect.nowPlusMicros());
        this.count = "SELECT COUNT(*) AS members FROM %s".formatted(member);
        this.remove = "DELETE FROM %s WHERE owner = ?".formatted(member);
    }

    int heartbeat(Connection connection, String owner, Duration timeToLive, String report) throws SQLException {
        if (!touched(connection, owner, report)) {
            join(connection, owner, report);
        }
        try (SqlStatement statement = context.prepare(connection, forgetSilent)) {
            statement.with(timeToLive.negated()).update();
        }
        try (SqlStatement statement = context.prepare(connection, count)) {
            return statement.first(row -> row.getInt("members")).orElseThrow();
        }
    }

    private boolean touched(Connection connection, String owner, String report) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, touch)) {
            return statement.with(report).with(owner).update() == 1;
        }
    }

    private void join(Connection connection, String owner, String report) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, join)) {
            context.insertIfAbsent(statement.with(owner).with(report));
        }
    }

    void remove(Connection connection, String owner) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, remove)) {
            statement.with(owner).update();
        }
    }
}
