package dev.postrider.store.existing;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.MessageId;
import dev.postrider.message.UuidV7Generator;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testservers.Servers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** The tables of one preset on one server, created once and emptied for every test; rows as services of others write them. */
final class Tables {

    private static final Map<String, Tables> ALL = new HashMap<>();
    private static final UuidV7Generator IDS = new UuidV7Generator(java.time.Clock.systemUTC());

    final Server server;
    final Preset preset;
    final HikariDataSource dataSource;
    final dev.postrider.testservers.Database database;

    private Tables(Server server, Preset preset) {
        this.server = server;
        this.preset = preset;
        this.database = server.newDatabase();
        this.dataSource = Server.pool(database, "");
        script(preset.ddl(server.label()));
        if (preset != Preset.PENDING_WAIT && preset != Preset.PENDING && preset != Preset.RELAY_LOCK) {
            script(Preset.RELAY_LOCK.ddl(server.label()));
        }
    }

    static synchronized Tables empty(Server server, Preset preset) {
        Tables tables = ALL.computeIfAbsent(server + preset.label(), key -> new Tables(server, preset));
        List<String> names = preset == Preset.PENDING_WAIT
                ? List.of("outbox_pending", "outbox_wait", "outbox_completed", "outbox_parking_lot")
                : preset == Preset.RELAY_LOCK ? List.of() : List.of(tables.table());
        names.forEach(name -> tables.execute("DELETE FROM " + name));
        if (preset == Preset.PENDING) {
            tables.execute("DROP TABLE IF EXISTS relay_lock");
        } else {
            tables.execute("DELETE FROM relay_lock");
        }
        return tables;
    }

    String table() {
        return preset.findMapping().map(mapping -> mapping.table.name()).orElse("outbox_pending");
    }

    DataSource dataSource() {
        return dataSource;
    }

    /** Another pool, whose connections begin with this statement. */
    HikariDataSource sameDatabase(String initSql) {
        return Server.pool(database, initSql);
    }

    StatusStoreBuilder store() {
        return builder(dataSource, preset.mapping());
    }

    /** With claims of rows; on TiDB, where nobody can claim rows, with a leader. */
    static StatusStoreBuilder builder(DataSource dataSource, TableMapping mapping) {
        StatusStoreBuilder builder = StatusOutboxStore.builder(dataSource, mapping);
        return Servers.isTidbForMysql() ? builder.leader("relay") : builder;
    }

    /** With one active relay, in whichever layout. */
    OutboxStore leaderStore() {
        return leaderStore(dataSource);
    }

    OutboxStore leaderStore(DataSource through) {
        if (preset == Preset.PENDING) {
            return pendingAlone(through).build();
        }
        return preset == Preset.PENDING_WAIT
                ? MoveOutboxStore.builder(through).build()
                : StatusOutboxStore.builder(through, preset.mapping())
                        .leader("relay")
                        .build();
    }

    static MoveStoreBuilder pendingAlone(DataSource through) {
        return MoveOutboxStore.builder(through, Preset.PENDING);
    }

    /** Inserts {@code count} rows of few keys; their payloads are {@code {"n": 0}}, {@code {"n": 1}} and so on. */
    List<String> insert(int count) {
        List<String> ids = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            ids.add(insert("key-" + n % 5, "{\"n\": " + n + "}"));
        }
        return ids;
    }

    /** Inserts a row and returns its event's id. */
    String insert(String key, String payload) {
        MessageId id = IDS.next();
        execute(insertion(), row(id, key, payload));
        return id.toString();
    }

    /** Inserts a row in a transaction of its writer's. */
    String insert(Connection writer, String key, String payload) throws SQLException {
        MessageId id = IDS.next();
        execute(writer, insertion(), row(id, key, payload));
        return id.toString();
    }

    private String insertion() {
        return switch (preset) {
            case OUTBOX_EVENTS -> "INSERT INTO outbox_events (id, entity_id, message) VALUES (?, ?, ?)";
            case EVENT_OUTBOX ->
                "INSERT INTO event_outbox (event_id, event_type, aggregate_id, payload, metadata) VALUES (?, 'OrderPlaced', ?, ?::jsonb, '{\"correlation_id\": \"c1\"}')";
            case ENUM_STATUS ->
                "INSERT INTO outbox (event_id, aggregate_type, aggregate_id, event_type, payload) VALUES (?, 'order', ?, 'OrderPlaced', ?)";
            case PENDING_WAIT, PENDING ->
                "INSERT INTO outbox_pending (id, metadata, data, create_time) VALUES (?, ?, ?, UTC_TIMESTAMP(6))";
            default ->
                "INSERT INTO outbox (id, aggregate_type, aggregate_id, event_type, payload, headers) VALUES (?, 'order', ?, 'OrderPlaced', ?, '{\"tenant\": \"t1\"}')";
        };
    }

    private Object[] row(MessageId id, String key, String payload) {
        return switch (preset) {
            case OUTBOX_EVENTS, EVENT_OUTBOX, ENUM_STATUS -> new Object[] {id.toString(), key, payload};
            case PENDING_WAIT, PENDING -> new Object[] {id.toBytes(), metadata(id, key), payload};
            default -> new Object[] {id.toBytes(), key, payload};
        };
    }

    static String metadata(MessageId id, String subject) {
        return """
                {"SpecVersion": "1.0", "Type": "shop.orders.v1.OrderPlaced", "Source": "shop", "Subject": "%s", "ID": "%s",
                 "Time": "2026-01-28T10:00:00.123456789+01:00", "Extensions": {"tenant": "t1", "priority": 3},
                 "DataSchema": {"Scheme": "https", "Opaque": "", "User": null, "Host": "example.com", "Path": "/s/1", "RawQuery": "v=2", "Fragment": ""},
                 "DataContentType": "application/json"}""".formatted(subject, id);
    }

    void script(String sql) {
        for (String statement : sql.split(";\\s*\\n")) {
            if (!statement.isBlank()) {
                execute(statement);
            }
        }
    }

    int execute(String sql, Object... values) {
        return execute(dataSource, sql, values);
    }

    static int execute(DataSource dataSource, String sql, Object... values) {
        try (Connection connection = dataSource.getConnection()) {
            return execute(connection, sql, values);
        } catch (SQLException error) {
            throw new IllegalStateException(sql, error);
        }
    }

    private static int execute(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int index = 0; index < values.length; index++) {
                statement.setObject(index + 1, values[index]);
            }
            return statement.executeUpdate();
        }
    }

    /** Ends all other connections to this database, as the death of their processes would. */
    void killOthers() {
        if (server == Server.POSTGRES) {
            column(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()");
        } else {
            column("SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()")
                    .forEach(id -> execute("KILL " + id));
        }
    }

    /** The first column of all rows, as texts. */
    List<String> column(String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        } catch (SQLException error) {
            throw new IllegalStateException(sql, error);
        }
    }

    String value(String sql) {
        return column(sql).get(0);
    }

    long count(String condition) {
        return Long.parseLong(value("SELECT COUNT(*) FROM %s WHERE %s".formatted(table(), condition)));
    }
}
