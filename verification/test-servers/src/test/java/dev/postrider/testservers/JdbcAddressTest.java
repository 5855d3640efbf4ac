package dev.postrider.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class JdbcAddressTest {

    @Test
    void takesUserAndPasswordOutOfTheUrl() {
        JdbcAddress address = JdbcAddress.parse(
                DatabaseKind.POSTGRES, "jdbc:postgresql://db.test:6432/app?user=me&ssl=true&password=a%26b&x=1");

        assertThat(address.url()).isEqualTo("jdbc:postgresql://db.test:6432/app?ssl=true&x=1");
        assertThat(address.user()).isEqualTo("me");
        assertThat(address.password()).isEqualTo("a&b");
    }

    @Test
    void fillsInWhatIsUsual() {
        JdbcAddress address = JdbcAddress.parse(DatabaseKind.MARIADB, "jdbc:mariadb://db.test");

        assertThat(address.url()).isEqualTo("jdbc:mariadb://db.test:3306/mysql");
        assertThat(address.user()).isEqualTo("root");
        assertThat(address.password()).isEmpty();
    }

    @Test
    void leadsToOtherDatabasesOfTheSameServer() {
        assertThat(DatabaseKind.MYSQL.local(3307).url("other"))
                .isEqualTo("jdbc:mysql://127.0.0.1:3307/other?sslMode=DISABLED&allowPublicKeyRetrieval=true");
    }

    @Test
    void refusesTheUrlOfAnotherKindAndShowsTheRightForm() {
        assertThatThrownBy(() -> JdbcAddress.parse(DatabaseKind.POSTGRES, "jdbc:mysql://db.test/app"))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageContaining("POSTRIDER_TEST_POSTGRES_URL")
                .hasMessageContaining("jdbc:postgresql://host:port/database");
    }
}
