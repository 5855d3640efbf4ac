package dev.postrider.store.existing;

import dev.postrider.store.jdbc.Micros;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The SET list of an update: only of columns that the table has. For one statement. */
final class Assignments {

    private final TableColumns columns;
    private final List<String> texts = new ArrayList<>();
    private final List<Object> parameters = new ArrayList<>();

    Assignments(TableColumns columns) {
        this.columns = columns;
    }

    private Assignments set(Role role, Function<Column, String> value, Object... values) {
        columns.find(role).ifPresent(column -> {
            texts.add("%s = %s".formatted(column.sql(), value.apply(column)));
            parameters.addAll(List.of(values));
        });
        return this;
    }

    Assignments now(Role role) {
        return set(role, Column::now);
    }

    /** Due at once: a column without fractions would round the present up into the future. */
    Assignments due() {
        return set(Role.NEXT_ATTEMPT, Column::nowInSeconds);
    }

    Assignments nowPlus(Role role, Duration delay) {
        return set(role, Column::nowPlusMicros, Micros.of(delay));
    }

    Assignments never(Role role) {
        return set(role, Column::never);
    }

    Assignments nothing(Role role) {
        return set(role, column -> "NULL");
    }

    Assignments attempts(int value) {
        return set(Role.ATTEMPTS, column -> "?", value);
    }

    Assignments error(String error) {
        return columns.find(Role.LAST_ERROR)
                .map(column -> set(Role.LAST_ERROR, c -> "?", column.fitted(error)))
                .orElse(this);
    }

    Assignments status(String value) {
        return set(Role.STATUS, column -> columns.status(value));
    }

    /** The end of a claim, as a text that the column's own clock has given. */
    Assignments claim(String token) {
        Column column = columns.claim().orElseThrow();
        texts.add("%s = %s".formatted(column.sql(), column.fromText()));
        parameters.add(token);
        return this;
    }

    boolean isEmpty() {
        return texts.isEmpty();
    }

    /** {@code UPDATE … SET …}, to be followed by a condition on columns without alias. */
    Sql update() {
        return Sql.of(
                "UPDATE %s SET %s".formatted(columns.tableById(), String.join(", ", texts)), parameters.toArray());
    }
}
