package dev.postrider.store.postgres;

import java.util.Optional;

/**
 * Where a lane's previous owner stood: every row that was visible in the snapshot and has a seq below {@code lowSeq} is
 * settled.
 *
 * <p>That stays true for as long as the server's incarnation lasts, however old the position is.
 */
record SavedPosition(String incarnation, Snapshot seen, long lowSeq) {

    /** Changes when the meaning changes; another version is ignored, and the lane is read from its head. */
    private static final String FORM = "pg1";

    static Optional<SavedPosition> parse(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 4 || !parts[0].equals(FORM)) {
            return Optional.empty();
        }
        try {
            long lowSeq = Long.parseLong(parts[3]);
            return Snapshot.parse(parts[2]).map(seen -> new SavedPosition(parts[1], seen, lowSeq));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }

    String format() {
        return String.join(" ", FORM, incarnation, seen.text(), Long.toString(lowSeq));
    }
}
