package dev.postrider.store.existing;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The column that says until when a row is somebody's, in a table that has one. */
final class ClaimColumn {

    private final TableColumns columns;

    ClaimColumn(TableColumns columns) {
        this.columns = columns;
    }

    /** The end of a claim that begins now; the text tells it apart from every other claim of the same row. */
    String token(Connection connection, Duration length) throws SQLException {
        Column claim = columns.claim().orElseThrow();
        return Sql.of("SELECT " + claim.nowPlusSecondsAsText(), (int) length.toSeconds() + 1)
                .first(connection, row -> row.getString(1))
                .orElseThrow();
    }

    void claim(Connection connection, List<RowKey> keys, String token) throws SQLException {
        Assignments claim = new Assignments(columns).claim(token);
        columns.mapping().status.flatMap(StatusValues::sending).ifPresent(claim::status);
        for (List<RowKey> some : RowKey.chunks(keys)) {
            columns.whereId(claim.update(), some).update(connection);
        }
    }

    /** Returns how many of these rows are still claimed, now until the new token's time. */
    int prolong(Connection connection, List<RowKey> keys, String token, String newToken) throws SQLException {
        int prolonged = 0;
        for (List<RowKey> some : RowKey.chunks(keys)) {
            Sql sql = columns.whereId(new Assignments(columns).claim(newToken).update(), some);
            prolonged += fenced(sql, Optional.of(token)).update(connection);
        }
        return prolonged;
    }

    /** Makes rows free that are still claimed by this token; the number of their attempts stays. */
    void release(Connection connection, List<RowKey> keys, String token) throws SQLException {
        for (List<RowKey> some : RowKey.chunks(keys)) {
            fenced(columns.whereId(free().update(), some), Optional.of(token)).update(connection);
        }
    }

    private Assignments free() {
        Assignments free = new Assignments(columns);
        if (columns.has(Role.CLAIMED_UNTIL)) {
            free.nothing(Role.CLAIMED_UNTIL);
        } else {
            free.due();
        }
        columns.mapping().status.ifPresent(values -> free.status(values.pending()));
        return free;
    }

    /** The end of a claim grows with each claim of a row, so it tells whether the row is still ours. */
    Sql fenced(Sql sql, Optional<String> token) {
        token.ifPresent(text -> {
            Column claim = columns.claim().orElseThrow();
            sql.add("AND %s = %s".formatted(claim.sql(), claim.fromText()), text);
        });
        return sql;
    }
}
