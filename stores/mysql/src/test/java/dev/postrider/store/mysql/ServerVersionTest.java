package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerVersionTest {

    @ParameterizedTest
    @CsvSource({
        "8.0.36, MySQL 8.0.36",
        "9.7.4-2, MySQL 9.7.4",
        "8.0.35-27.1, MySQL 8.0.35",
        "11.4.5-MariaDB, MariaDB 11.4.5",
        "10.6.16-MariaDB-1:10.6.16+maria~ubu2004-log, MariaDB 10.6.16",
        "5.5.5-10.11.2-MariaDB, MariaDB 10.11.2",
        "8.0.11-TiDB-v7.5.1, TiDB 7.5.1",
        "5.7.25-TiDB-v8.1.0-alpha, TiDB 8.1.0"
    })
    void tellsServersApart(String text, String version) {
        assertThat(ServerVersion.parse(text)).hasToString(version);
    }

    @Test
    void comparesNumbersAndNotTexts() {
        assertThat(ServerVersion.parse("10.11.2-MariaDB")).isGreaterThan(Flavor.MARIADB.oldest());
        assertThat(ServerVersion.parse("8.0.9")).isLessThan(Flavor.MYSQL.oldest());
        assertThat(ServerVersion.parse("11.0.9-MariaDB").isAtLeast(11, 1)).isFalse();
        assertThat(ServerVersion.parse("11.1.0-MariaDB").isAtLeast(11, 1)).isTrue();
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThatThrownBy(() -> ServerVersion.parse("PostgreSQL")).hasMessageContaining("'PostgreSQL'");
    }
}
