package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Servers are told apart by what they say of themselves. */
class DatabaseTest {

    @Test
    void tellsTidbAndMariadbApartFromMysqlWhateverTheDriverCallsThem() {
        assertThat(Database.ofVersion("8.0.11-TiDB-v8.5.1", "MySQL")).isEqualTo(Database.TIDB);
        assertThat(Database.ofVersion("11.4.5-MariaDB-log", "MySQL")).isEqualTo(Database.MARIADB);
        assertThat(Database.ofVersion("9.7.4", "MySQL")).isEqualTo(Database.MYSQL);
    }

    @Test
    void refusesServersWithoutSkipLocked() {
        assertThatThrownBy(() -> Database.ofVersion("5.7.44", "MySQL")).hasMessageContaining("at least 8.0");
        assertThatThrownBy(() -> Database.ofVersion("10.5.2-MariaDB", "MariaDB"))
                .hasMessageContaining("at least 10.6");
        assertThatThrownBy(() -> Database.ofVersion("2.5.252", "H2"))
                .hasMessageContaining("but the data source leads to H2");
    }

    @Test
    void refusesTidbForClaimsAndSaysWhy() {
        assertThatThrownBy(() -> StatusStoreBuilder.refuseTidb(Database.TIDB, TablePath.parse("outbox"), false))
                .hasMessageContaining("SKIP LOCKED")
                .hasMessageContaining("outbox")
                .hasMessageContaining("move layout");
    }
}
