package dev.postrider.store.existing;

import dev.postrider.store.jdbc.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/** Times that statements return as whole numbers of microseconds: no driver's idea of a zone comes between, and they are exact. */
final class Times {

    private Times() {}

    /** Zero for NULL. */
    static Duration span(ResultSet row, String label) throws SQLException {
        return Micros.toDuration(row.getLong(label));
    }

    /** How long ago something was; what lies in the future by a wrong zone or clock is of no age. */
    static Duration age(ResultSet row, String label) throws SQLException {
        Duration age = span(row, label);
        return age.isNegative() ? Duration.ZERO : age;
    }

    static Instant of(ResultSet row, String label) throws SQLException {
        return Instant.EPOCH.plus(span(row, label));
    }
}
