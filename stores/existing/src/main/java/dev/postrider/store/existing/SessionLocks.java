package dev.postrider.store.existing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.spi.StoreException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Named locks of the database's sessions, for outboxes without a lock table.
 *
 * <p>Each lock is held by a connection of its own, and is free as soon as that connection ends, however it ends. Thread-safe.
 */
final class SessionLocks {

    private final DataSource dataSource;
    private final Database database;
    private final String scope;
    private final Map<String, Held> held = new HashMap<>();

    /** @param scope what tells this outbox from all others of the server */
    SessionLocks(DataSource dataSource, Database database, String scope) {
        this.dataSource = dataSource;
        this.database = database;
        this.scope = scope;
    }

    /** Acquires a lock that is free, or already this owner's. */
    synchronized boolean take(String name, String owner) {
        Held mine = held.get(name);
        if (mine != null && isAlive(name, mine)) {
            return mine.owner().equals(owner);
        }
        return lock(name, owner);
    }

    private boolean lock(String name, String owner) {
        try {
            Connection connection = dataSource.getConnection();
            if (!tryLock(connection, name)) {
                connection.close();
                return false;
            }
            held.put(name, new Held(owner, connection, session(connection)));
            return true;
        } catch (SQLException error) {
            throw new StoreException("Could not acquire the lock %s: %s".formatted(name, error.getMessage()), error);
        }
    }

    private boolean tryLock(Connection connection, String name) throws SQLException {
        connection.setAutoCommit(true);
        String sql = database.isPostgres()
                ? "SELECT CASE WHEN pg_try_advisory_lock(hashtextextended(?, 0)) THEN 1 END"
                : "SELECT GET_LOCK(?, 0)";
        return Sql.of(sql, keyOf(name)).first(connection, row -> row.getInt(1)).equals(Optional.of(1));
    }

    /** Whether this owner still has the lock: whether the session lives that acquired it. */
    synchronized boolean isHeld(String name, String owner) {
        Held mine = held.get(name);
        return mine != null && mine.owner().equals(owner) && isAlive(name, mine);
    }

    /** A driver that reconnects has another session, which does not have the lock. */
    private boolean isAlive(String name, Held mine) {
        try {
            if (session(mine.connection()) == mine.session()) {
                return true;
            }
        } catch (SQLException broken) {
            // The session is over, and the lock with it.
        }
        held.remove(name);
        drop(mine.connection());
        return false;
    }

    private long session(Connection connection) throws SQLException {
        String sql = database.isPostgres() ? "SELECT pg_backend_pid()" : "SELECT CONNECTION_ID()";
        return Sql.of(sql).first(connection, row -> row.getLong(1)).orElseThrow();
    }

    synchronized void release(String name, String owner) {
        Held mine = held.get(name);
        if (mine == null || !mine.owner().equals(owner)) {
            return;
        }
        held.remove(name);
        String sql =
                database.isPostgres() ? "SELECT pg_advisory_unlock(hashtextextended(?, 0))" : "SELECT RELEASE_LOCK(?)";
        try {
            Sql.of(sql, keyOf(name)).first(mine.connection(), row -> true);
            mine.connection().close();
        } catch (SQLException failure) {
            drop(mine.connection());
        }
    }

    /** Not back to the pool: it might still hold the lock there. */
    private static void drop(Connection connection) {
        try {
            connection.abort(Runnable::run);
            connection.close();
        } catch (SQLException gone) {
            // It is over already.
        }
    }

    /** Who holds the lock: an owner of this process, or a session of the server. MySQL, MariaDB and TiDB. */
    Optional<String> holder(Connection connection, String name) throws SQLException {
        synchronized (this) {
            if (held.containsKey(name)) {
                return Optional.of(held.get(name).owner());
            }
        }
        return Sql.of("SELECT IS_USED_LOCK(?)", keyOf(name))
                .first(connection, row -> Optional.ofNullable(row.getString(1)))
                .flatMap(session -> session)
                .map("connection "::concat);
    }

    /** Locks are known to the whole server, and names have at most 64 characters. */
    private String keyOf(String name) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest((scope + ":" + name).getBytes(UTF_8));
            return "postrider:" + HexFormat.of().formatHex(hash, 0, 20);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** One lock and the session that has it. */
    private record Held(String owner, Connection connection, long session) {}
}
