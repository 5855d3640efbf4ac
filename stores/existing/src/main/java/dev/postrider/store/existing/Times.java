package dev.postrider.store.existing;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/** Times that statements return as numbers of seconds: no driver's idea of a zone comes between. */
final class Times {

    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000);

    private Times() {}

    static Duration seconds(ResultSet row, String label) throws SQLException {
        BigDecimal seconds = row.getBigDecimal(label);
        if (seconds == null) {
            return Duration.ZERO;
        }
        BigDecimal[] parts = seconds.divideAndRemainder(BigDecimal.ONE);
        return Duration.ofSeconds(parts[0].longValue(), parts[1].multiply(NANOS).longValue());
    }

    /** How long ago something was; what lies in the future by a wrong zone or clock is of no age. */
    static Duration age(ResultSet row, String label) throws SQLException {
        Duration age = seconds(row, label);
        return age.isNegative() ? Duration.ZERO : age;
    }

    static Instant of(ResultSet row, String label) throws SQLException {
        return Instant.EPOCH.plus(seconds(row, label));
    }

    /** The moment that lies this age before the other; exactly, since it is told to receivers and must be the same at every look. */
    static Instant before(ResultSet row, String moment, String age) throws SQLException {
        return of(row, moment).minus(seconds(row, age));
    }
}
