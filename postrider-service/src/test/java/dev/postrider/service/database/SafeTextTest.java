package dev.postrider.service.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafeTextTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:postgresql://db/app?user=a&password=x!y&ssl=true | jdbc:postgresql://db/app?user=a&password=***&ssl=true",
                "jdbc:h2:./db;PASSWORD=secret;MODE=x | jdbc:h2:./db;PASSWORD=***;MODE=x",
                "jdbc:mysql://ann:pw@db:3306/app | jdbc:mysql://***@db:3306/app",
                "jdbc:mysql://ann:p@s/s,w'rd@db:3306/app | jdbc:mysql://***@db:3306/app",
                "jdbc:h2:mem:x;PASSWORD=a,b'c;USER=d | jdbc:h2:mem:x;PASSWORD=***;USER=d",
                "No suitable driver for jdbc:x?trustStorePassword=abc here | No suitable driver for jdbc:x?trustStorePassword=*** here",
                "nothing to hide: 5 rows | nothing to hide: 5 rows",
                "at jdbc:x?password=***: refused | at jdbc:x?password=***: refused",
            })
    void hidesWhatAddressesCarry(String text, String safe) {
        assertThat(SafeText.of(text)).isEqualTo(safe);
    }
}
