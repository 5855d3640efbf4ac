package dev.postrider.store.postgres;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which transactions were over at one moment, in PostgreSQL's own text form {@code xmin:xmax:xip,xip,…}.
 *
 * <p>A transaction was over if its number is below xmax and not in the list. Only the server interprets the list; here it is
 * carried along.
 *
 * @param xmax the first transaction number that was not yet over
 */
record Snapshot(String text, long xmax) {

    private static final Pattern FORM = Pattern.compile("\\d+:(\\d{1,19}):(\\d+(,\\d+)*)?");

    static Optional<Snapshot> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(new Snapshot(text, Long.parseUnsignedLong(matcher.group(1))))
                : Optional.empty();
    }

    static Snapshot of(String text) {
        return parse(text).orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not a snapshot"));
    }

    @Override
    public String toString() {
        return text;
    }
}
