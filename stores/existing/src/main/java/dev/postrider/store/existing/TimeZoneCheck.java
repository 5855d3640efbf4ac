package dev.postrider.store.existing;

import dev.postrider.internal.Readable;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import dev.postrider.store.jdbc.TransactionRunner;
import java.time.Duration;
import java.util.List;

/** Looks whether rows were written in the future, as those seem to be whose column has another time zone than the mapping says. */
record TimeZoneCheck(Rows rows, TransactionRunner transactions) implements Check {

    private static final Duration TOLERANCE = Duration.ofMinutes(1);

    @Override
    public String name() {
        return "time zone";
    }

    @Override
    public List<Finding> run() {
        return transactions.inTransaction(
                "compare times",
                connection -> rows.newestAge(connection)
                        .filter(age -> age.compareTo(TOLERANCE.negated()) < 0)
                        .map(age -> ahead(age.negated()))
                        .map(List::of)
                        .orElse(List.of()));
    }

    private Finding ahead(Duration ahead) {
        return Finding.warning(
                "the newest row of %s says that it was written in the future, %s from now"
                        .formatted(rows.name(), Readable.time(ahead)),
                "its column of time has no zone and is taken for UTC, but its writers use another time zone, or their clocks are wrong; ages are shown"
                        + " too small, and cleanup keeps rows for longer",
                "Say 'local-time-is-utc: false' if the column holds the time of the sessions' zone, or let writers use UTC");
    }
}
