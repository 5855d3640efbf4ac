package dev.postrider.service.doctor;

import dev.postrider.internal.Readable;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import javax.sql.DataSource;

/** Compares the clock of the database with the one of this machine. */
final class ClockCheck implements Check {

    private static final Duration TOLERATED = Duration.ofSeconds(2);

    private final DatabaseKind kind;
    private final DataSource dataSource;
    private final Clock clock;

    ClockCheck(DatabaseKind kind, DataSource dataSource, Clock clock) {
        this.kind = kind;
        this.dataSource = dataSource;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "clocks";
    }

    @Override
    public List<Finding> run() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            Instant before = clock.instant();
            Instant there = ask(statement);
            Duration asked = Duration.between(before, clock.instant());
            Duration skew = Duration.between(before.plus(asked.dividedBy(2)), there);
            // The answer was true at some moment of the question.
            return skew.abs().minus(asked).compareTo(TOLERATED) <= 0 ? List.of() : List.of(found(skew));
        }
    }

    private Instant ask(Statement statement) throws SQLException {
        boolean isMysql = kind != DatabaseKind.POSTGRES && kind != DatabaseKind.H2;
        String sql = isMysql
                ? "SELECT UTC_TIMESTAMP(6)"
                : kind == DatabaseKind.POSTGRES ? "SELECT clock_timestamp()" : "SELECT CURRENT_TIMESTAMP";
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return isMysql
                    ? row.getObject(1, LocalDateTime.class).toInstant(ZoneOffset.UTC)
                    : row.getObject(1, OffsetDateTime.class).toInstant();
        }
    }

    private static Finding found(Duration skew) {
        return Finding.warning(
                "the clock of the database is %s %s this machine's"
                        .formatted(Readable.time(skew.abs()), skew.isNegative() ? "behind" : "ahead of"),
                "delivery is not affected, since it uses only the database's clock; but times in commands and logs do not"
                        + " match those in the tables",
                "Synchronise both clocks, with chrony or NTP");
    }
}
