package dev.postrider.store.existing;

import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowOutcome.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes outcomes into the columns of one table that has them. */
final class StatusOutcomes {

    private final TableColumns columns;
    private final Conditions conditions;
    private final ClaimColumn claims;
    private final RowMoves moves;

    StatusOutcomes(TableColumns columns, Conditions conditions, ClaimColumn claims, RowMoves moves) {
        this.columns = columns;
        this.conditions = conditions;
        this.claims = claims;
        this.moves = moves;
    }

    void apply(Connection connection, Map<RowKey, Outcome> outcomes, Optional<String> token) throws SQLException {
        deliver(connection, Rows.delivered(outcomes));
        for (Map.Entry<RowKey, Outcome> each : outcomes.entrySet()) {
            RowKey key = each.getKey();
            if (each.getValue() instanceof RowOutcome.RetryLater retry) {
                fail(connection, key, retry, token);
            } else if (each.getValue() instanceof RowOutcome.Blocked blocked) {
                block(connection, key, blocked, token);
            } else if (each.getValue() instanceof RowOutcome.Dead dead) {
                bury(connection, key, dead, token);
            }
        }
    }

    /** Needs no fence: what was delivered was delivered, whoever has claimed it by now. */
    void deliver(Connection connection, List<RowKey> keys) throws SQLException {
        for (List<RowKey> some : RowKey.chunks(keys)) {
            deliverSome(connection, some);
        }
    }

    private void deliverSome(Connection connection, List<RowKey> keys) throws SQLException {
        if (columns.mapping().deliveredTable.isPresent()) {
            moves.toDelivered(connection, RowKey.parameters(keys));
        } else if (columns.mapping().deletesDelivered()) {
            columns.whereId(Sql.of(columns.deleteById()), keys).update(connection);
        } else {
            Assignments marks = new Assignments(columns).now(Role.DELIVERED).nothing(Role.CLAIMED_UNTIL);
            columns.mapping().status.flatMap(StatusValues::delivered).ifPresent(marks::status);
            if (columns.mapping().clearsError) {
                marks.nothing(Role.LAST_ERROR);
            }
            columns.whereId(marks.update(), keys).update(connection);
        }
    }

    private void fail(Connection connection, RowKey key, RowOutcome.RetryLater retry, Optional<String> token)
            throws SQLException {
        Assignments marks = failure(retry.attempts(), retry.error())
                .now(Role.LAST_ATTEMPT)
                .nowPlus(Role.NEXT_ATTEMPT, retry.delay());
        keep(connection, key, marks, token);
    }

    /** Its attempts have run out, yet it must not look as if it were given up. */
    private void block(Connection connection, RowKey key, RowOutcome.Blocked blocked, Optional<String> token)
            throws SQLException {
        int most = columns.mapping().deadAtAttempts().map(limit -> limit - 1).orElse(Integer.MAX_VALUE);
        Assignments marks = failure(Math.min(blocked.attempts(), most), blocked.error());
        columns.blockedBy().ifPresent(marks::never);
        if (!isBlockedByLastAttempt()) {
            marks.now(Role.LAST_ATTEMPT);
        }
        keep(connection, key, marks, token);
    }

    private boolean isBlockedByLastAttempt() {
        return columns.blockedBy().equals(Optional.of(Role.LAST_ATTEMPT));
    }

    private Assignments failure(int attempts, String error) {
        return new Assignments(columns).attempts(attempts).error(error).nothing(Role.CLAIMED_UNTIL);
    }

    private void keep(Connection connection, RowKey key, Assignments marks, Optional<String> token)
            throws SQLException {
        columns.mapping().status.ifPresent(values -> marks.status(values.retry().orElse(values.pending())));
        if (!marks.isEmpty()) {
            claims.fenced(columns.whereId(marks.update(), List.of(key)).add(stillAlive()), token)
                    .update(connection);
        }
    }

    /** A row that somebody else has delivered or given up meanwhile must not come back to life. */
    private String stillAlive() {
        return "AND " + conditions.alive("");
    }

    private void bury(Connection connection, RowKey row, RowOutcome.Dead dead, Optional<String> token)
            throws SQLException {
        List<RowKey> key = List.of(row);
        int attempts =
                Math.max(dead.attempts(), columns.mapping().deadAtAttempts().orElse(0));
        Assignments marks = failure(attempts, DeadText.of(dead)).now(Role.LAST_ATTEMPT);
        if (!columns.has(Role.LAST_ATTEMPT)) {
            marks.now(Role.NEXT_ATTEMPT);
        }
        columns.mapping()
                .status
                .flatMap(values -> values.dead().or(values::retry))
                .ifPresent(marks::status);
        boolean isOurs = marks.isEmpty()
                || claims.fenced(columns.whereId(marks.update(), key).add(stillAlive()), token)
                                .update(connection)
                        > 0;
        if (isOurs && columns.mapping().deadTable.isPresent()) {
            moves.toDead(connection, RowKey.parameters(key));
        }
    }

    int unblock(Connection connection, Optional<String> key) throws SQLException {
        Optional<Column> blocked = columns.blockedBy().flatMap(columns::find);
        if (blocked.isEmpty()) {
            return 0;
        }
        Assignments anew = new Assignments(columns).attempts(0).due();
        if (isBlockedByLastAttempt()) {
            anew.now(Role.LAST_ATTEMPT);
        }
        Sql sql = anew.update().add("WHERE %s AND %s".formatted(blocked.get().isNever(""), conditions.alive("")));
        Optional<Column> keyColumn = columns.find(Role.KEY);
        if (key.isPresent() && keyColumn.isPresent()) {
            Database database = columns.database();
            sql.add("AND %s = ?".formatted(database.exact(keyColumn.get().sql())), database.exactParameter(key.get()));
        }
        return sql.update(connection);
    }

    /** As if these rows had never failed. */
    void startAnew(Connection connection, List<RowKey> keys) throws SQLException {
        Assignments anew = new Assignments(columns).attempts(0);
        for (List<RowKey> some : RowKey.chunks(anew.isEmpty() ? List.of() : keys)) {
            columns.whereId(anew.update(), some).update(connection);
        }
    }
}
