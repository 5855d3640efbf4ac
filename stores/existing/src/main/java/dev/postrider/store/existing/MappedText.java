package dev.postrider.store.existing;

import java.util.Objects;
import java.util.Optional;

/**
 * Where a text of a message comes from: a column, or the same text for all rows.
 *
 * <p>Immutable.
 */
public final class MappedText {

    private final Optional<String> column;
    private final Optional<String> text;

    private MappedText(Optional<String> column, Optional<String> text) {
        this.column = column;
        this.text = text;
    }

    /** The value of this column. */
    public static MappedText column(String name) {
        return new MappedText(Optional.of(TablePath.checkedColumn("column", name)), Optional.empty());
    }

    /** This text for every row. */
    public static MappedText fixed(String text) {
        return new MappedText(Optional.empty(), Optional.of(Objects.requireNonNull(text, "text")));
    }

    Optional<String> column() {
        return column;
    }

    Optional<String> text() {
        return text;
    }
}
