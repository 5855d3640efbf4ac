package dev.postrider.store.postgres;

import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.DatabaseProduct;
import dev.postrider.store.jdbc.JdbcContext;
import dev.postrider.store.jdbc.Migration;
import dev.postrider.store.jdbc.PayloadFormat;
import dev.postrider.store.jdbc.Schema;
import dev.postrider.store.jdbc.SchemaDefinition;
import dev.postrider.store.jdbc.SchemaException;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.store.jdbc.SchemaScripts;
import dev.postrider.store.jdbc.SqlStatement;
import dev.postrider.store.jdbc.StoredSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** The tables in PostgreSQL, and what must be true of the server beneath them. */
final class PostgresSchema {

    private static final int OLDEST_VERSION = 130_000;

    private final DataSource dataSource;
    private final JdbcContext context;
    private final Schema schema;

    PostgresSchema(DataSource dataSource, JdbcContext context) {
        this.dataSource = dataSource;
        this.context = context;
        this.schema = new Schema(dataSource, context, definition(context));
    }

    static SchemaDefinition definition(JdbcContext context) {
        String payload = context.options().payload() == PayloadFormat.BINARY ? "bytea" : "json";
        SchemaScripts scripts = new SchemaScripts(PostgresSchema.class, context, Map.of("payload", payload));
        return new SchemaDefinition(
                scripts.read("meta.sql"),
                List.of(new Migration(1, scripts.read("V001__create_outbox.sql"))),
                Map.of(
                        AuditTrail.PLAIN, scripts.read("audit_plain.sql"),
                        AuditTrail.PARTITIONED, scripts.read("audit_partitioned.sql")));
    }

    String sql() {
        return schema.sql();
    }

    String upgradeSql(int from) {
        return schema.upgradeSql(from);
    }

    Optional<StoredSchema> stored() {
        return schema.stored();
    }

    void prepare() {
        if (context.options().schemaMode() != SchemaMode.NONE) {
            DatabaseProduct.require(dataSource, context.dialect().products());
            Lookalike.refuse(dataSource);
            context.longTransactions().run("check the server", this::checkVersion);
            schema.prepare();
            context.longTransactions().run("check the sequence", this::checkSequence);
        }
    }

    private void checkVersion(Connection connection) throws SQLException {
        int version = ask(connection, "SELECT current_setting('server_version_num')")
                .map(Integer::parseInt)
                .orElse(0);
        if (version < OLDEST_VERSION) {
            throw new SchemaException("The server has version number " + version + ", but the scan needs PostgreSQL 13"
                    + " (" + OLDEST_VERSION
                    + ") or later, which has xid8 and pg_current_snapshot(). Upgrade the server");
        }
    }

    /** With a larger cache each session draws numbers in advance, and a later transaction may get a lower one. */
    private void checkSequence(Connection connection) throws SQLException {
        String hot = context.tables().hot().sql();
        String sql =
                "SELECT seqcache FROM pg_sequence WHERE seqrelid = CAST(pg_get_serial_sequence('%s', 'seq') AS regclass)"
                        .formatted(hot);
        String cache = ask(connection, sql)
                .orElseThrow(() -> new SchemaException("Column seq of " + hot
                        + " is not an identity column. Create the table again, as schemaSql() shows"));
        if (!cache.equals("1")) {
            throw new SchemaException(("The sequence of %1$s has CACHE %2$s, which breaks the order of messages. Run:"
                            + " ALTER TABLE %1$s ALTER COLUMN seq SET CACHE 1")
                    .formatted(hot, cache));
        }
    }

    private Optional<String> ask(Connection connection, String sql) throws SQLException {
        try (SqlStatement statement = context.prepare(connection, sql)) {
            return statement.first(row -> row.getString(1));
        }
    }
}
