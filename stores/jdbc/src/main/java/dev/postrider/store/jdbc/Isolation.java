package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import java.sql.Connection;

/** The isolation levels that stores ask for; every transaction states its own, whatever the pool's default is. */
@Internal
public enum Isolation {
    READ_UNCOMMITTED(Connection.TRANSACTION_READ_UNCOMMITTED, "READ UNCOMMITTED"),
    READ_COMMITTED(Connection.TRANSACTION_READ_COMMITTED, "READ COMMITTED"),
    REPEATABLE_READ(Connection.TRANSACTION_REPEATABLE_READ, "REPEATABLE READ");

    private final int jdbcLevel;
    private final String sql;

    Isolation(int jdbcLevel, String sql) {
        this.jdbcLevel = jdbcLevel;
        this.sql = sql;
    }

    /** The constant of {@link Connection}. */
    public int jdbcLevel() {
        return jdbcLevel;
    }

    /** As in {@code SET TRANSACTION ISOLATION LEVEL …}. */
    public String sql() {
        return sql;
    }
}
