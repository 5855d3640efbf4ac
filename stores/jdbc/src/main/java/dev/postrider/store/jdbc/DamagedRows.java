package dev.postrider.store.jdbc;

import static java.util.Objects.requireNonNull;

import dev.postrider.spi.RowRef;
import dev.postrider.spi.StoreException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Reads rows some of which make the server fail the whole statement, by halving what fails until such a row stands alone. */
final class DamagedRows {

    private DamagedRows() {}

    /**
     * Whether the server failed because of a value that it read: a value that is no value of its type, or is damaged, or grows
     * too large. Nothing that goes away by itself, and nothing that is the fault of the statement.
     */
    static boolean isCauseOf(StoreException failure) {
        if (!(failure.getCause() instanceof SQLException error)) {
            return false;
        }
        String state = String.valueOf(error.getSQLState());
        return state.startsWith("22") // data exception
                || state.startsWith("54") // program limit exceeded
                || state.equals("XX001") // data corrupted
                || state.equals("XX002"); // index corrupted
    }

    /**
     * All rows, in order.
     *
     * @param read reads the rows with these names in a transaction of its own
     * @param damaged what stands for a row that cannot be read, and why it cannot
     */
    static <T> List<T> read(
            List<RowRef> refs, Function<List<RowRef>, List<T>> read, BiFunction<RowRef, String, T> damaged) {
        try {
            return refs.isEmpty() ? List.of() : read.apply(refs);
        } catch (StoreException failure) {
            if (!isCauseOf(failure)) {
                throw failure;
            }
            if (refs.size() == 1) {
                return List.of(damaged.apply(
                        refs.get(0),
                        "The row cannot be read: "
                                + requireNonNull(failure.getCause()).getMessage()));
            }
            int half = refs.size() / 2;
            List<T> rows = new ArrayList<>(read(refs.subList(0, half), read, damaged));
            rows.addAll(read(refs.subList(half, refs.size()), read, damaged));
            return rows;
        }
    }
}
