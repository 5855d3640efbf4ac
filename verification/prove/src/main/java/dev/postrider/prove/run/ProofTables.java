package dev.postrider.prove.run;

import dev.postrider.message.MessageId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All tables of a proof, those of its outbox included. Stateless.
 *
 * @param name validated by {@link ProofSettings}, so that it needs no quotes
 */
record ProofTables(String name) {

    /** The ids of messages that these queries find. */
    static Set<String> ids(Connection connection, List<String> queries) throws SQLException {
        Set<String> ids = new HashSet<>();
        for (String query : queries) {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(query)) {
                while (rows.next()) {
                    ids.add(id(rows.getObject(1)).toString());
                }
            }
        }
        return ids;
    }

    private static MessageId id(Object value) {
        return value instanceof byte[] bytes ? MessageId.fromBytes(bytes) : MessageId.of(value.toString());
    }

    /** Drops everything whose name begins as that of this proof. */
    void drop(Connection connection) throws SQLException {
        for (String table : ownTables(connection)) {
            execute(connection, "DROP TABLE IF EXISTS " + table);
        }
        if (connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
            for (String function : ownFunctions(connection)) {
                execute(connection, "DROP FUNCTION IF EXISTS " + function);
            }
        }
    }

    /** With their parameters, as PostgreSQL wants to have them named. */
    private List<String> ownFunctions(Connection connection) throws SQLException {
        List<String> functions = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT oid::regprocedure::text FROM pg_proc
                WHERE pronamespace = current_schema()::regnamespace AND starts_with(proname::text, ?)""")) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    functions.add(rows.getString(1));
                }
            }
        }
        return functions;
    }

    private List<String> ownTables(Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet rows = connection
                .getMetaData()
                .getTables(connection.getCatalog(), connection.getSchema(), name + "%", new String[] {"TABLE"})) {
            while (rows.next()) {
                String table = rows.getString("TABLE_NAME");
                // In a pattern, the underscores of the name stand for any character.
                if (table.startsWith(name)) {
                    tables.add(table);
                }
            }
        }
        return tables;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
