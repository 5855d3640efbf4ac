package dev.postrider.spi;

/**
 * How many rows there are: counted, or estimated where counting all of them would take long.
 *
 * @param isExact whether they were counted
 */
public record RowCount(long rows, boolean isExact) {

    /** There are none. */
    public static final RowCount NONE = new RowCount(0, true);

    /** The rows of both. */
    public RowCount plus(RowCount other) {
        return new RowCount(rows + other.rows, isExact && other.isExact);
    }
}
