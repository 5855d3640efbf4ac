package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of tables stand in statements, so they are checked. */
class TablePathTest {

    @ParameterizedTest
    @ValueSource(strings = {"outbox", "schema.outbox", "OUTBOX_1"})
    void takesTablesWithAndWithoutSchema(String name) {
        assertThat(TablePath.parse(name)).hasToString(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "outbox;drop", "outbox-1", "schema..outbox", "schema.outbox;", "a.b.c", "a b", "ä"})
    void refusesWhatIsNoName(String name) {
        assertThatThrownBy(() -> TablePath.parse(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + name + "'");
    }
}
