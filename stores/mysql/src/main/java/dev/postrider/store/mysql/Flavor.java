package dev.postrider.store.mysql;

import dev.postrider.store.jdbc.Isolation;

/** The servers that speak MySQL's language, as far as they differ for an outbox. */
public enum Flavor {
    /** MySQL 8.0.17 or newer. */
    MYSQL("MySQL"),
    /** MariaDB 10.6 or newer. */
    MARIADB("MariaDB"),
    /** TiDB 7.5 or newer. */
    TIDB("TiDB");

    private final String label;

    Flavor(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    /** The oldest version that has all that the store needs. */
    ServerVersion oldest() {
        return switch (this) {
            case MYSQL -> new ServerVersion(this, 8, 0, 17);
            case MARIADB -> new ServerVersion(this, 10, 6, 0);
            case TIDB -> new ServerVersion(this, 7, 5, 0);
        };
    }

    /** A collation that compares by bytes and does not ignore trailing spaces. */
    String collation() {
        return this == MARIADB ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin";
    }

    /** The lowest isolation level of a read: TiDB has no dirty reads. */
    Isolation lowestIsolation() {
        return this == TIDB ? Isolation.READ_COMMITTED : Isolation.READ_UNCOMMITTED;
    }

    /** The default of {@code created_at}, which TiDB would take from the session's time zone. */
    String createdAtDefault() {
        return this == TIDB ? "" : " DEFAULT (UTC_TIMESTAMP(6))";
    }

    /** Without it every TiDB server hands out numbers of its own. */
    String numbersInOnePlace() {
        return this == TIDB ? " /*T![auto_id_cache] AUTO_ID_CACHE = 1 */" : "";
    }
}
