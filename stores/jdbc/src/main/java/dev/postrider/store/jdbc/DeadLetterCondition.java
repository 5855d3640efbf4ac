package dev.postrider.store.jdbc;

import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.RowRef;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A filter as an SQL condition with its parameters. */
final class DeadLetterCondition {

    private final List<String> conditions = new ArrayList<>();
    private final List<Binding> bindings = new ArrayList<>();
    private String index;

    DeadLetterCondition(DeadLetterFilter filter) {
        this.index = filter.id().isPresent() ? "_dead_by_id" : filter.key().isPresent() ? "_dead_by_key" : "";
        filter.id().ifPresent(id -> and("id = ?", statement -> statement.with(id)));
        filter.topic().ifPresent(topic -> and("topic = ?", statement -> statement.with(topic)));
        filter.type().ifPresent(type -> and("type = ?", statement -> statement.with(type)));
        filter.key().ifPresent(key -> and("message_key = ?", statement -> statement.with(key)));
        filter.reason().ifPresent(reason -> and("reason = ?", statement -> statement.with(reason.name())));
        filter.error()
                .ifPresent(text -> and(
                        "LOWER(last_error) LIKE LOWER(?) ESCAPE '!'",
                        statement -> statement.with(LikePattern.containing(text))));
        filter.diedAfter().ifPresent(time -> and("died_at > ?", statement -> statement.with(Micros.bounded(time))));
        filter.diedBefore().ifPresent(time -> and("died_at < ?", statement -> statement.with(Micros.bounded(time))));
    }

    DeadLetterCondition and(String condition, Binding binding) {
        conditions.add(condition);
        bindings.add(binding);
        return this;
    }

    /** Of these only; they lead to the rows by the primary key. */
    DeadLetterCondition among(RowPredicate rows) {
        index = "";
        return and(rows.sql(), statement -> statement.with(rows));
    }

    /** Behind this row, by lane, seq and id. The first condition alone leads into the index: else all rows before it were read. */
    DeadLetterCondition after(RowRef ref) {
        return and(
                "lane >= ? AND (lane > ? OR seq > ? OR (seq = ? AND id > ?))",
                statement -> statement
                        .with(ref.lane())
                        .with(ref.lane())
                        .with(ref.seq())
                        .with(ref.seq())
                        .with(ref.id()));
    }

    /** The table, to be read by the index of an id or a key where the filter has one, else in the order of its primary key. */
    String from(JdbcContext context, String alias) {
        return context.tables().dead() + alias + context.dialect().indexHint(context.tables(), index);
    }

    String sql() {
        return conditions.isEmpty() ? "1 = 1" : String.join(" AND ", conditions);
    }

    SqlStatement bind(SqlStatement statement) throws SQLException {
        for (Binding binding : bindings) {
            binding.bind(statement);
        }
        return statement;
    }

    /** Binds the parameters of one condition. */
    @FunctionalInterface
    interface Binding {
        void bind(SqlStatement statement) throws SQLException;
    }
}
