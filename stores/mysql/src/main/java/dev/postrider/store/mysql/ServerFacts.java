package dev.postrider.store.mysql;

import dev.postrider.store.jdbc.DatabaseProduct;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What the store must know of the server before it starts: its version and some of its global variables.
 *
 * @param variables by name in lower case; one that this server does not have is missing
 */
record ServerFacts(ServerVersion version, Map<String, String> variables) {

    static ServerFacts read(Connection connection) throws SQLException {
        DatabaseProduct.require(connection, MysqlDialect.PRODUCTS);
        Map<String, String> variables = new HashMap<>();
        try (Statement statement = connection.createStatement()) {
            String version;
            try (ResultSet row = statement.executeQuery("SELECT VERSION()")) {
                row.next();
                version = row.getString(1);
            }
            // SHOW, because a SELECT of a variable fails where the server lacks it.
            try (ResultSet rows = statement.executeQuery("""
                    SHOW GLOBAL VARIABLES WHERE Variable_name IN ('auto_increment_increment', 'wsrep_on',
                      'wsrep_cluster_address', 'group_replication_group_name', 'group_replication_single_primary_mode',
                      'log_bin', 'binlog_format', 'max_allowed_packet', 'version')""")) {
                while (rows.next()) {
                    variables.put(rows.getString(1).toLowerCase(Locale.ROOT), rows.getString(2));
                }
            }
            return new ServerFacts(ServerVersion.parse(version), variables);
        }
    }

    Flavor flavor() {
        return version.flavor();
    }

    boolean isOn(String variable) {
        String value = variables.getOrDefault(variable, "OFF");
        return value.equalsIgnoreCase("ON") || value.equals("1");
    }

    boolean isSet(String variable) {
        return !variables.getOrDefault(variable, "").isBlank();
    }

    long number(String variable, long otherwise) {
        String value = variables.get(variable);
        return value == null ? otherwise : Long.parseLong(value);
    }
}
