package dev.postrider.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableNamesTest {

    private final Dialect dialect = new PlainDialect();

    @Test
    void quotesNamesWithTheirSchema() {
        TableNames tables = new TableNames(Optional.of("app"), "mail", dialect);

        assertThat(tables.hot().sql()).isEqualTo("\"app\".\"mail\"");
        assertThat(tables.held().sql()).isEqualTo("\"app\".\"mail_held\"");
        assertThat(tables.outboxName()).isEqualTo("app.mail");
    }

    @Test
    void leavesOutASchemaThatIsNotSet() {
        TableNames tables = new TableNames(Optional.empty(), "outbox", dialect);

        assertThat(tables.lane().sql()).isEqualTo("\"outbox_lane\"");
        assertThat(tables.outboxName()).isEqualTo("outbox");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1st", "out-box", "out\"box", "out`box", "outbox; DROP TABLE x", "öutbox", "out box"})
    void refusesNamesThatCouldBreakAStatement(String name) {
        assertThatThrownBy(() -> JdbcStoreOptions.defaults().withPrefix(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefix is '" + name + "'")
                .hasMessageContaining("letters, digits and underscores");
        assertThatThrownBy(() -> JdbcStoreOptions.defaults().withSchema(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("schema is '" + name + "'");
    }

    @Test
    void refusesAPrefixThatLeavesNoRoomForSuffixes() {
        assertThat(JdbcStoreOptions.defaults().withPrefix("a".repeat(40)).prefix())
                .hasSize(40);
        assertThatThrownBy(() -> JdbcStoreOptions.defaults().withPrefix("a".repeat(41)))
                .hasMessageContaining("at most 40 characters");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1025})
    void refusesALaneCountOutOfRange(int lanes) {
        assertThatThrownBy(() -> JdbcStoreOptions.defaults().withLanes(lanes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lanes is " + lanes + ", expected 1 to 1024");
    }
}
