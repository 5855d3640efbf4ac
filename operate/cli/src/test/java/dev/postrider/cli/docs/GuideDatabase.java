package dev.postrider.cli.docs;

import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.OutboxTables;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.DatabaseServer;
import dev.postrider.testservers.Servers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Assumptions;

/**
 * An empty database of its own on one of the servers, in which the statements of guides are run. TiDB's run on MySQL; with the profile
 * {@code tidb} they alone run, on TiDB.
 */
final class GuideDatabase implements AutoCloseable {

    private final DatabaseKind kind;
    private final DataSource dataSource;
    private final Runnable drop;
    private final String name;
    private final String jdbcUrl;

    private GuideDatabase(DatabaseKind kind, DataSource dataSource, String name, String jdbcUrl, Runnable drop) {
        this.kind = kind;
        this.dataSource = dataSource;
        this.name = name;
        this.jdbcUrl = jdbcUrl;
        this.drop = drop;
    }

    /** Skips what needs TiDB itself, unless the profile {@code tidb} runs. */
    static void skipWithoutTidb(DatabaseKind kind) {
        Assumptions.assumeTrue(kind != DatabaseKind.TIDB || Servers.isTidbForMysql(), "TiDB only: .ci/tidb");
    }

    static GuideDatabase create(DatabaseKind kind) {
        if (kind != DatabaseKind.TIDB) {
            Servers.skipWithTidb();
        }
        return switch (kind) {
            case POSTGRES -> on(Servers.postgres(), kind);
            case MYSQL, TIDB -> on(Servers.mysql(), kind);
            case MARIADB -> on(Servers.mariadb(), kind);
            case H2 -> inMemory();
        };
    }

    private static GuideDatabase on(DatabaseServer server, DatabaseKind kind) {
        Database database = server.createDatabase("guide");
        return new GuideDatabase(kind, database.dataSource(), database.name(), database.jdbcUrl(), database::close);
    }

    private static GuideDatabase inMemory() {
        JdbcDataSource dataSource = new JdbcDataSource();
        String name = UUID.randomUUID().toString();
        dataSource.setURL("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
        return new GuideDatabase(
                DatabaseKind.H2, dataSource, name, dataSource.getURL(), () -> run(dataSource, "SHUTDOWN"));
    }

    DataSource dataSource() {
        return dataSource;
    }

    String jdbcUrl() {
        return jdbcUrl;
    }

    String name() {
        return name;
    }

    /** The name of the block for this database; what MySQL shares with others stands under its name. */
    String block(Guide guide, String what) {
        String own = kind.name().toLowerCase(Locale.ROOT) + "-" + what;
        return guide.names().contains(own) ? own : "mysql-" + what;
    }

    /** Creates the tables of an outbox from the SQL that is printed for users, in one session as they do. */
    void createTables(StoreSettings settings) {
        executeTogether(statements(settings).toList());
    }

    /** Only the table that is inserted into, and what it needs. */
    void createHotTable(String prefix, int lanes) {
        String name = ".?" + prefix + ".? \\(";
        String trigger = "TRIGGER .?" + prefix + "_check_row\\b";
        Pattern wanted = Pattern.compile("CREATE (FUNCTION|TABLE (IF NOT EXISTS )?" + name + "|" + trigger + ")");
        statements(new StoreSettings().prefix(prefix).lanes(lanes))
                .filter(sql -> wanted.matcher(sql).find())
                .forEach(this::execute);
    }

    private Stream<String> statements(StoreSettings settings) {
        // An empty line ends a statement; a function has semicolons inside.
        return Stream.of(OutboxTables.sql(kind, settings).split(";\\n(\\n|$)"));
    }

    OutboxStore open(DataSource user, StoreSettings settings) {
        return new OutboxTables(kind == DatabaseKind.TIDB ? DatabaseKind.MYSQL : kind, user, settings).open();
    }

    void execute(String sql) {
        run(dataSource, sql);
    }

    /** In one session, so that BEGIN and COMMIT belong together. */
    void executeTogether(List<String> statements) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException refused) {
            throw new IllegalStateException(kind + ": " + refused.getMessage(), refused);
        }
    }

    int update(String sql, Object... parameters) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        }
    }

    /** The first column of all rows. */
    List<String> query(String sql, Object... parameters) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            List<String> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
            }
            return found;
        } catch (SQLException refused) {
            throw new IllegalStateException(kind + " refused: " + sql, refused);
        }
    }

    private static void run(DataSource dataSource, String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException refused) {
            throw new IllegalStateException(refused.getMessage() + "\nrefused: " + sql, refused);
        }
    }

    @Override
    public void close() {
        drop.run();
    }
}
