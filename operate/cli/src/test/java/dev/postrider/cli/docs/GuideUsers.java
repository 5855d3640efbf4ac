package dev.postrider.cli.docs;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.spi.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** An outbox whose users have exactly the grants of a guide. Their names are those of the guide and of this database. */
final class GuideUsers implements AutoCloseable {

    /** Who created the tables. */
    static final String OWNER = "owner";

    private static final List<String> ROLES = List.of("writer", "relay", "maintainer", "operator");

    /** A user of any host gives way to the anonymous one of this host, where that exists. */
    private static final List<String> MYSQL_HOSTS = List.of("%", "localhost");

    private final DatabaseKind kind;
    private final GuideDatabase database;
    private final Map<String, HikariDataSource> pools = new HashMap<>();

    private GuideUsers(DatabaseKind kind, GuideDatabase database) {
        this.kind = kind;
        this.database = database;
    }

    static GuideUsers create(DatabaseKind kind, Guide guide, StoreSettings settings) {
        GuideUsers users = new GuideUsers(kind, GuideDatabase.create(kind));
        users.database.createTables(settings);
        for (String role : ROLES) {
            guide.statements(users.database.block(guide, role)).forEach(users::grant);
        }
        return users;
    }

    DatabaseKind kind() {
        return kind;
    }

    private void grant(String sql) {
        if (kind == DatabaseKind.POSTGRES) {
            database.execute(sql.replace("app_", database.name() + "_"));
            return;
        }
        for (String host : MYSQL_HOSTS) {
            database.execute(sql.replace("app.", database.name() + ".")
                    .replaceAll("app_(\\w+)", "'" + database.name() + "_$1'@'" + host + "'"));
        }
    }

    DataSource dataSource(String user) {
        return user.equals(OWNER) ? database.dataSource() : pools.computeIfAbsent(user, this::pool);
    }

    private HikariDataSource pool(String user) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(nameOf(user));
        config.setPassword("change-me");
        config.setMaximumPoolSize(4);
        return new HikariDataSource(config);
    }

    private String nameOf(String user) {
        return user.replace("app_", database.name() + "_");
    }

    OutboxStore open(String user, StoreSettings settings) {
        return database.open(dataSource(user), settings);
    }

    void execute(String user, String sql) throws SQLException {
        try (Connection connection = dataSource(user).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    int count(String table) {
        return Integer.parseInt(database.query("SELECT COUNT(*) FROM " + table).get(0));
    }

    void empty() {
        for (String table : List.of("", "_held", "_delayed", "_dead", "_control", "_dedup", "_sent", "_member")) {
            database.execute("DELETE FROM outbox" + table);
        }
    }

    @Override
    public void close() {
        pools.values().forEach(HikariDataSource::close);
        for (String role : ROLES) {
            drop("app_" + role);
        }
        database.close();
    }

    private void drop(String user) {
        if (kind == DatabaseKind.POSTGRES) {
            database.execute("DROP OWNED BY " + nameOf(user));
            database.execute("DROP ROLE " + nameOf(user));
            return;
        }
        MYSQL_HOSTS.forEach(host -> database.execute("DROP USER '" + nameOf(user) + "'@'" + host + "'"));
    }
}
