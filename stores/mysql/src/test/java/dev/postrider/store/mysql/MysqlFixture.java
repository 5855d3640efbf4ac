package dev.postrider.store.mysql;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.MessageId;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testkit.JdbcStoreFixture;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** One database for each server, with one outbox for each kind of store, emptied for every test: creating tables is slow. */
final class MysqlFixture extends JdbcStoreFixture {

    private static final Map<TestServer, HikariDataSource> DATABASES = new EnumMap<>(TestServer.class);
    private static final Map<String, OutboxStore> STORES = new HashMap<>();

    private static final List<String> TABLES =
            List.of("", "_held", "_delayed", "_dead", "_member", "_control", "_operation", "_dedup", "_task", "_sent");

    private final String prefix;
    private final Flavor flavor;

    private MysqlFixture(OutboxStore store, DataSource dataSource, String prefix, Flavor flavor) {
        super(store, dataSource);
        this.prefix = prefix;
        this.flavor = flavor;
    }

    static MysqlFixture open(TestServer server, Setup setup) {
        return open(server, setup, "plain", builder -> {});
    }

    /** A store with further options, which the name tells apart from others. */
    static synchronized MysqlFixture open(
            TestServer server, Setup setup, String name, Consumer<MysqlOutboxStoreBuilder> options) {
        HikariDataSource dataSource = DATABASES.computeIfAbsent(server, s -> s.newDatabase("contract"));
        String prefix = "%s_%d_%d_%s"
                .formatted(
                        name,
                        setup.lanes(),
                        setup.limits().maxPayloadBytes(),
                        setup.keepsDelivered() ? "kept" : "gone");
        OutboxStore store = STORES.computeIfAbsent(server + prefix, key -> create(dataSource, prefix, setup, options));
        MysqlFixture fixture = new MysqlFixture(store, dataSource, prefix, server.flavor());
        fixture.empty(setup.keepsDelivered());
        return fixture;
    }

    private static OutboxStore create(
            DataSource dataSource, String prefix, Setup setup, Consumer<MysqlOutboxStoreBuilder> options) {
        MysqlOutboxStoreBuilder builder = MysqlOutboxStore.builder(dataSource)
                .prefix(prefix)
                .lanes(setup.lanes())
                .limits(setup.limits())
                .audit(setup.keepsDelivered() ? AuditTrail.PLAIN : AuditTrail.NONE)
                .schemaMode(SchemaMode.CREATE);
        options.accept(builder);
        return builder.build();
    }

    private void empty(boolean keepsDelivered) {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String suffix : TABLES) {
                if (keepsDelivered || !suffix.equals("_sent")) {
                    statement.execute("DELETE FROM " + table(suffix));
                }
            }
            statement.execute("UPDATE " + table("_lane")
                    + " SET owner = NULL, epoch = 0, lease_until = NULL, scan_position = NULL");
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException error) {
            throw new IllegalStateException(error);
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    protected String table(String suffix) {
        return "`" + prefix + suffix + "`";
    }

    @Override
    protected void bindId(PreparedStatement statement, int index, MessageId id) throws SQLException {
        statement.setBytes(index, id.toBytes());
    }

    @Override
    protected MessageId readId(ResultSet row, int index) throws SQLException {
        return MessageId.fromBytes(row.getBytes(index));
    }

    @Override
    protected boolean computesLane() {
        return true;
    }

    @Override
    protected String creationTime() {
        return flavor == Flavor.TIDB ? "UTC_TIMESTAMP(6)" : "";
    }
}
