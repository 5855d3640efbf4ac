package dev.postrider.benchpeers;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.store.BenchDatabase;
import dev.postrider.service.database.DatabaseKind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The tables of a peer, whose names it chooses itself.
 *
 * @param database where they are
 * @param names in an order in which they can be dropped
 * @param views over them
 */
record PeerTables(BenchDatabase database, List<String> names, List<String> views) {

    static PeerTables of(Peer peer, BenchDatabase database) {
        return new PeerTables(database, peer.tables(), peer.views());
    }

    /** @throws BenchException if there is such a table, which may be somebody's and would be dropped */
    void requireAbsent() throws SQLException {
        Set<String> there = existing();
        for (String name : names) {
            if (there.contains(name.toLowerCase(Locale.ROOT))) {
                throw new BenchException(
                        "There is a table %s already, which would be used and dropped. Give an empty database"
                                .formatted(name));
            }
        }
    }

    /** Lets the planner know the backlog, as the statistics of a busy table would. */
    void analyze() throws SQLException {
        for (String name : names) {
            database.execute((isPostgres() ? "ANALYZE " : "ANALYZE TABLE ") + name);
        }
    }

    void drop() throws SQLException {
        for (String view : views) {
            database.execute("DROP VIEW IF EXISTS " + view);
        }
        for (String name : names) {
            database.execute("DROP TABLE IF EXISTS " + name + (isPostgres() ? " CASCADE" : ""));
        }
    }

    private boolean isPostgres() {
        return database.kind() == DatabaseKind.POSTGRES;
    }

    private Set<String> existing() throws SQLException {
        Set<String> tables = new HashSet<>();
        try (Connection connection = database.connection();
                ResultSet rows = connection
                        .getMetaData()
                        .getTables(connection.getCatalog(), connection.getSchema(), null, new String[] {"TABLE"})) {
            while (rows.next()) {
                tables.add(rows.getString("TABLE_NAME").toLowerCase(Locale.ROOT));
            }
        }
        return tables;
    }
}
