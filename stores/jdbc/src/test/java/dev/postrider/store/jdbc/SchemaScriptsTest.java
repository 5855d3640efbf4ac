package dev.postrider.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class SchemaScriptsTest {

    @Test
    void splitsAtSemicolonsAtTheEndOfALine() {
        assertThat(SchemaScripts.split("SELECT 1;\n-- why; because\nSELECT ';'\n  FROM t;  \n"))
                .containsExactly("SELECT 1", "-- why; because\nSELECT ';'\n  FROM t");
    }

    @Test
    void leavesFunctionBodiesWhole() {
        String function =
                "CREATE FUNCTION f() RETURNS int AS $$\n  SELECT 1;\n  SELECT 2;\n$$ LANGUAGE sql;\nSELECT 3;\n";

        assertThat(SchemaScripts.split(function))
                .containsExactly(
                        "CREATE FUNCTION f() RETURNS int AS $$\n  SELECT 1;\n  SELECT 2;\n$$ LANGUAGE sql", "SELECT 3");
    }

    @Test
    void refusesAStatementWithoutItsSemicolon() {
        assertThatThrownBy(() -> SchemaScripts.split("SELECT 1;\nSELECT 2\n")).hasMessageContaining("SELECT 2");
    }

    @Test
    void fillsInNamesAndValues() {
        JdbcStoreOptions options = JdbcStoreOptions.defaults().withSchema("app").withLanes(3);
        JdbcContext context = new JdbcContext(new JdbcDataSource(), new PlainDialect(), options);

        SchemaScripts scripts = new SchemaScripts(SchemaScriptsTest.class, context, Map.of("payload_type", "BLOB"));

        assertThat(scripts.read("example.sql"))
                .containsExactly(
                        "CREATE TABLE \"app\".\"outbox\" (p BLOB, CHECK (lane < 3))",
                        "CREATE INDEX \"outbox_by_lane\" ON \"app\".\"outbox\" (lane)",
                        "INSERT INTO \"app\".\"outbox_lane\" (lane, epoch) VALUES (0, 0), (1, 0), (2, 0)");
        assertThatThrownBy(() -> scripts.read("unknown_mark.sql")).hasMessageContaining("${nonsense}");
        assertThatThrownBy(() -> scripts.read("missing.sql")).hasMessageContaining("missing.sql");
    }
}
