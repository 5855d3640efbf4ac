package dev.postrider.service.doctor;

import dev.postrider.service.doctor.Questions.Row;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The global variables of a server that speaks MySQL's language. Read once. For one thread. */
class MysqlVariables {

    private final Questions questions;
    private Map<String, String> known = Map.of();

    MysqlVariables(Questions questions) {
        this.questions = questions;
    }

    /** SHOW, because a SELECT of a variable fails where the server lacks it. */
    Row read() throws SQLException {
        if (known.isEmpty()) {
            Map<String, String> values = new HashMap<>();
            for (Row row : questions.rows("SHOW GLOBAL VARIABLES")) {
                values.put(row.text("variable_name").toLowerCase(Locale.ROOT), row.text("value"));
            }
            known = values;
        }
        return new Row(known);
    }

    boolean isTidb() throws SQLException {
        return read().text("version").toLowerCase(Locale.ROOT).contains("tidb");
    }

    boolean isMariadb() throws SQLException {
        return read().text("version").toLowerCase(Locale.ROOT).contains("mariadb");
    }
}
