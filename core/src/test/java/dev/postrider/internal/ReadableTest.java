package dev.postrider.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadableTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S,0 ms",
        "PT0.0004S,0.4 ms",
        "PT0.004S,4 ms",
        "PT0.042406S,42 ms",
        "PT1S,1 s",
        "PT1.5S,1.5 s",
        "PT1.234S,1.234 s",
        "PT20S,20 s",
        "PT10.001S,10.001 s",
        "PT42.317123S,42.3 s",
        "PT-9223372036854775808S,'-106,751,991,167,300 d 15 h'",
        "PT1M,1 m",
        "PT5M12S,5 m 12 s",
        "PT3H20M,3 h 20 m",
        "P30D,30 d",
        "P12DT4H,12 d 4 h",
        "-PT0.2S,-200 ms",
    })
    void showsTimes(Duration time, String expected) {
        assertThat(Readable.time(time)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "0,0 bytes",
        "1,1 byte",
        "512,512 bytes",
        "1024,1 KiB",
        "1536,'1,536 bytes'",
        "16777216,16 MiB",
        "1500001,1.5 MB",
        "1572864,'1,536 KiB'",
        "4294967296,4 GiB",
        "10001,10 kB",
    })
    void showsSizes(long bytes, String expected) {
        assertThat(Readable.bytes(bytes)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0,0 messages", "1,1 message", "2,2 messages", "12345,'12,345 messages'"})
    void showsCounts(long count, String expected) {
        assertThat(Readable.count(count, "message")).isEqualTo(expected);
    }
}
