package dev.postrider.store.existing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.LentConnection;
import dev.postrider.store.jdbc.TransactionRunner;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Named locks of the database's sessions, for outboxes without a lock table.
 *
 * <p>Each lock is held by a connection of its own, and is free as soon as that connection ends, however it ends. No look at a lock waits
 * longer than the relay's leases allow. Thread-safe.
 */
final class SessionLocks {

    private final TransactionRunner transactions;
    private final Database database;
    private final String scope;
    private final Map<String, Held> held = new ConcurrentHashMap<>();
    private final Map<String, Object> monitors = new ConcurrentHashMap<>();

    /** @param scope what tells this outbox from all others of the server */
    SessionLocks(TransactionRunner transactions, Database database, String scope) {
        this.transactions = transactions;
        this.database = database;
        this.scope = scope;
    }

    /** Acquires a lock that is free, or already this owner's. */
    boolean take(String name, String owner, Duration length) {
        synchronized (monitor(name)) {
            Held mine = held.get(name);
            if (mine != null && isAlive(name, mine)) {
                return mine.owner().equals(owner);
            }
            return lock(name, owner, length);
        }
    }

    /** One for each name: who waits for a connection to take one lock must not keep those waiting who hold another. */
    private Object monitor(String name) {
        return monitors.computeIfAbsent(name, each -> new Object());
    }

    private boolean lock(String name, String owner, Duration length) {
        try {
            LentConnection lent = transactions.borrow();
            try {
                return lock(lent, name, owner, length);
            } catch (SQLException unknown) {
                drop(lent);
                throw unknown;
            }
        } catch (SQLException error) {
            throw new StoreException("Could not acquire the lock %s: %s".formatted(name, error.getMessage()), error);
        }
    }

    private boolean lock(LentConnection lent, String name, String owner, Duration length) throws SQLException {
        if (!tryLock(lent.get(), name)) {
            lent.close();
            return false;
        }
        long formerLimit = idleLimit(lent.get());
        limitIdle(lent.get(), Math.max(1, length.toSeconds()));
        held.put(name, new Held(owner, lent, session(lent.get()), formerLimit));
        return true;
    }

    private boolean tryLock(Connection connection, String name) throws SQLException {
        connection.setAutoCommit(true);
        String sql = database.isPostgres()
                ? "SELECT CASE WHEN pg_try_advisory_lock(hashtextextended(?, 0)) THEN 1 END"
                : "SELECT GET_LOCK(?, 0)";
        return Sql.of(sql, keyOf(name)).first(connection, row -> row.getInt(1)).equals(Optional.of(1));
    }

    private long idleLimit(Connection connection) throws SQLException {
        return database.isPostgres()
                ? 0
                : Sql.of("SELECT @@SESSION.wait_timeout")
                        .first(connection, row -> row.getLong(1))
                        .orElseThrow();
    }

    /**
     * The server ends a session that says nothing for longer, such as that of a machine that is gone. By default it would keep the lock
     * for eight hours.
     */
    private void limitIdle(Connection connection, long seconds) throws SQLException {
        if (!database.isPostgres()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET SESSION wait_timeout = " + seconds);
            }
        }
    }

    /** Whether this owner still has the lock: whether the session lives that acquired it. */
    boolean isHeld(String name, String owner) {
        synchronized (monitor(name)) {
            Held mine = held.get(name);
            return mine != null && mine.owner().equals(owner) && isAlive(name, mine);
        }
    }

    /** A driver that reconnects has another session, which does not have the lock. */
    private boolean isAlive(String name, Held mine) {
        try {
            if (session(mine.lent().get()) == mine.session()) {
                return true;
            }
        } catch (SQLException broken) {
            // The session is over, and the lock with it.
        }
        held.remove(name);
        drop(mine.lent());
        return false;
    }

    private long session(Connection connection) throws SQLException {
        String sql = database.isPostgres() ? "SELECT pg_backend_pid()" : "SELECT CONNECTION_ID()";
        return Sql.of(sql).first(connection, row -> row.getLong(1)).orElseThrow();
    }

    void release(String name, String owner) {
        synchronized (monitor(name)) {
            Held mine = held.get(name);
            if (mine == null || !mine.owner().equals(owner)) {
                return;
            }
            held.remove(name);
            String sql = database.isPostgres()
                    ? "SELECT pg_advisory_unlock(hashtextextended(?, 0))"
                    : "SELECT RELEASE_LOCK(?)";
            try {
                Sql.of(sql, keyOf(name)).first(mine.lent().get(), row -> true);
                limitIdle(mine.lent().get(), mine.formerLimit());
                mine.lent().close();
            } catch (SQLException failure) {
                drop(mine.lent());
            }
        }
    }

    /** Not back to the pool: it might still hold the lock there. */
    private static void drop(LentConnection lent) {
        try (lent) {
            lent.get().abort(Runnable::run);
        } catch (SQLException gone) {
            // It is over already.
        }
    }

    /** Who holds the lock: an owner of this process, or a session of the server. MySQL, MariaDB and TiDB. */
    Optional<String> holder(Connection connection, String name) throws SQLException {
        Held mine = held.get(name);
        if (mine != null) {
            return Optional.of(mine.owner());
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

    /**
     * One lock and the session that has it.
     *
     * @param formerLimit after how many idle seconds the server ended that session before
     */
    private record Held(String owner, LentConnection lent, long session, long formerLimit) {}
}
