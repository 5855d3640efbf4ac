package dev.postrider.store.postgres;

import java.util.Optional;

/** Servers that speak PostgreSQL's protocol and lack what the scan is built on: numbers of transactions that snapshots refer to. */
enum Lookalike {
    COCKROACHDB("CockroachDB", "has no xid8 and no pg_current_snapshot()"),
    YUGABYTEDB(
            "YugabyteDB",
            "orders transactions by hybrid time, so that snapshots of pg_current_snapshot() say nothing about which have committed"),
    AURORA_DSQL("Aurora DSQL", "has no triggers, no savepoints and no functions in PL/pgSQL");

    /** A line of two columns: {@code version()}, and whether there is a table that only Aurora DSQL has. */
    static final String QUESTION = """
            SELECT version(), EXISTS (
              SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              WHERE n.nspname = 'sys' AND c.relname = 'iam_pg_role_mappings')""";

    private final String label;
    private final String reason;

    Lookalike(String label, String reason) {
        this.label = label;
        this.reason = reason;
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
