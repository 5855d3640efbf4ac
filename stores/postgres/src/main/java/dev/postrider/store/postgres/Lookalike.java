package dev.postrider.store.postgres;

import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.SchemaException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import javax.sql.DataSource;

/** Servers that speak PostgreSQL's protocol and lack what the scan is built on: numbers of transactions that snapshots refer to. */
enum Lookalike {
    COCKROACHDB("CockroachDB", "has no xid8 and no pg_current_snapshot()"),
    YUGABYTEDB(
            "YugabyteDB",
            "orders transactions by hybrid time, so that snapshots of pg_current_snapshot() say nothing about which have committed"),
    AURORA_DSQL("Aurora DSQL", "has no triggers, no savepoints and no functions in PL/pgSQL");

    /** A line of two columns: {@code version()}, and whether there is a table that only Aurora DSQL has. */
    private static final String QUESTION = """
            SELECT version(), EXISTS (
              SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              WHERE n.nspname = 'sys' AND c.relname = 'iam_pg_role_mappings')""";

    private final String label;
    private final String reason;

    Lookalike(String label, String reason) {
        this.label = label;
        this.reason = reason;
    }

    /**
     * Refuses to work with one of these servers.
     *
     * <p>Asks outside of the store's transactions: their settings and isolation levels are unknown to some of these servers, so
     * that the user would read about a parameter instead of the reason.
     */
    static void refuse(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(QUESTION)) {
            row.next();
            of(new Answer(row.getString(1), row.getBoolean(2))).ifPresent(server -> {
                throw new SchemaException(server.refusal());
            });
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException failure) {
            throw new StoreException("Could not ask the database what it is: " + failure.getMessage(), failure);
        }
    }

    static Optional<Lookalike> of(Answer answer) {
        if (answer.version().contains("CockroachDB")) {
            return Optional.of(COCKROACHDB);
        }
        if (answer.version().contains("-YB-")) {
            return Optional.of(YUGABYTEDB);
        }
        return answer.hasDsqlRoles() ? Optional.of(AURORA_DSQL) : Optional.empty();
    }

    /** Why an outbox cannot live there, and where it can. */
    String refusal() {
        return "The server is " + label + ", which " + reason
                + ". Messages would be lost or leave in the wrong order: keep the outbox in PostgreSQL 13 or later, MySQL, MariaDB or TiDB";
    }

    /**
     * What a server says about itself.
     *
     * @param version what {@code version()} returns
     * @param hasDsqlRoles whether it has the table in which Aurora DSQL maps roles
     */
    record Answer(String version, boolean hasDsqlRoles) {}
}
