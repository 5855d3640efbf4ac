package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.store.postgres.Lookalike.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On what these servers are said to answer: none of them can be started here. */
class LookalikeTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "COCKROACHDB | CockroachDB CCL v25.2.1 (x86_64-pc-linux-gnu, built 2025/06/11, go1.23.7) | false",
                "YUGABYTEDB | PostgreSQL 15.12-YB-2025.1.0.0-b0 on x86_64-pc-linux-gnu, compiled by clang 17, 64-bit | false",
                "AURORA_DSQL | PostgreSQL 16 | true",
            })
    void tellsServersApartThatOnlySpeakLikePostgresql(Lookalike expected, String version, boolean hasDsqlRoles) {
        assertThat(Lookalike.of(new Answer(version, hasDsqlRoles))).contains(expected);
        assertThat(expected.refusal()).contains("keep the outbox in PostgreSQL 13 or later");
    }

    @Test
    void takesPostgresqlForItself() {
        assertThat(Lookalike.of(new Answer("PostgreSQL 18.6 on x86_64-pc-linux-gnu, compiled by gcc, 64-bit", false)))
                .isEmpty();
    }
}
