package dev.postrider.store.mysql;

import java.util.Optional;

/**
 * Where a lane's previous owner stood: on this run of the server every row of the lane up to the seq is settled, and no
 * transaction with a row up to it, in any lane, is still open, not even one that has drawn its number and written no row yet.
 *
 * <p>That stays true for as long as the run lasts, however old the position is.
 */
record ScanPosition(Incarnation incarnation, long seq) {

    /** Changes when the meaning changes; another version is ignored, and the lane is read from its head. */
    private static final String FORM = "my2";

    static Optional<ScanPosition> parse(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 4 || !parts[0].equals(FORM)) {
            return Optional.empty();
        }
        try {
            Incarnation incarnation = new Incarnation(parts[1], Long.parseLong(parts[2]));
            return Optional.of(new ScanPosition(incarnation, Long.parseLong(parts[3])));
        } catch (NumberFormatException notOurs) {
            return Optional.empty();
        }
    }

    String format() {
        return String.join(" ", FORM, incarnation.server(), Long.toString(incarnation.startedAt()), Long.toString(seq));
    }
}
