package dev.postrider.service.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.service.database.DatabaseKind;
import dev.postrider.spi.Finding;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class ClockCheckTest {

    private static List<Finding> findings(Duration shift) throws SQLException {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:");
        return new ClockCheck(DatabaseKind.H2, dataSource, Clock.offset(Clock.systemUTC(), shift)).run();
    }

    @Test
    void isContentWithClocksThatAgree() throws SQLException {
        assertThat(findings(Duration.ZERO)).isEmpty();
    }

    @Test
    void saysByHowMuchAndInWhichDirectionClocksDiffer() throws SQLException {
        assertThat(findings(Duration.ofMinutes(1)).get(0).what())
                .matches("the clock of the database is (59\\.\\d s|60 s|1 m) behind.*");
        assertThat(findings(Duration.ofMinutes(-1)).get(0).what()).contains(" ahead of this machine's");
    }
}
