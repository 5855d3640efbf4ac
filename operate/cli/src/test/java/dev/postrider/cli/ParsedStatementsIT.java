package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** MySQL's driver keeps parsed statements, unless the address says something else about them. */
class ParsedStatementsIT {

    @ParameterizedTest
    @CsvSource({"connectTimeout=5000, true", "cachePrepStmts=false, false", "useServerPrepStmts=true, false"})
    void driverKeepsStatementsUnlessTheAddressSpeaksOfThem(String parameter, boolean isKept) throws SQLException {
        Database mysql = Servers.mysql().createDatabase("statements");
        String url = mysql.jdbcUrl() + (mysql.jdbcUrl().contains("?") ? "&" : "?") + parameter;

        try (OutboxDatabase opened = OutboxDatabase.open(DatabaseSettings.of(url, mysql.user(), mysql.password()))) {
            assertThat(opened.dataSource().unwrap(HikariDataSource.class).getDataSourceProperties())
                    .satisfies(told ->
                            assertThat(told.containsKey("cachePrepStmts")).isEqualTo(isKept));
        }
    }
}
