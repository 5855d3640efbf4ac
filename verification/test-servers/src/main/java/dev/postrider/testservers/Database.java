package dev.postrider.testservers;

import javax.sql.DataSource;

/**
 * A database made for one test class. It need not be closed: it goes when its server goes.
 *
 * @param server the server it lies on
 * @param name its name, unique on that server
 */
public record Database(DatabaseServer server, String name) implements AutoCloseable {

    /** The URL of this database, without user and password. */
    public String jdbcUrl() {
        return server.jdbcUrl(name);
    }

    /** The name of its owner. */
    public String user() {
        return server.user();
    }

    /** The password of its owner; may be empty. */
    public String password() {
        return server.password();
    }

    /** New connections of the plain driver; no pool. */
    public DataSource dataSource() {
        return server.dataSource(name);
    }

    /** Drops this database; on PostgreSQL its open connections are ended first. */
    @Override
    public void close() {
        server.execute("DROP DATABASE " + name + (server.kind() == DatabaseKind.POSTGRES ? " WITH (FORCE)" : ""));
    }
}
