package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import dev.postrider.spi.InboxStore;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Collects the options of an inbox in any JDBC database; each setter refuses a bad value. Not thread-safe. */
public final class InboxStoreBuilder {

    private final DataSource dataSource;
    private final Supplier<Dialect> dialect;
    private final Function<JdbcContext, List<Migration>> migrations;
    private JdbcStoreOptions options = JdbcStoreOptions.defaults().withPrefix("inbox");

    /**
     * For the modules of each database.
     *
     * @param dialect may ask the server what it is
     * @param migrations in order of version
     */
    @Internal
    public InboxStoreBuilder(
            DataSource dataSource, Supplier<Dialect> dialect, Function<JdbcContext, List<Migration>> migrations) {
        this.dataSource = UnmanagedDataSource.of(Objects.requireNonNull(dataSource, "dataSource"));
        this.dialect = dialect;
        this.migrations = migrations;
    }

    /** The schema (on MySQL: the database) of the tables, which must exist; by default that of the connection. */
    public InboxStoreBuilder schema(String schema) {
        options = options.withSchema(schema);
        return this;
    }

    /** What the names of the tables begin with; default {@code inbox}. Must differ from the prefix of an outbox beside it. */
    public InboxStoreBuilder prefix(String prefix) {
        options = options.withPrefix(prefix);
        return this;
    }

    /** What to do about the tables now; default {@link SchemaMode#VERIFY}. */
    public InboxStoreBuilder schemaMode(SchemaMode mode) {
        options = options.withSchemaMode(mode);
        return this;
    }

    /** The SQL that creates the tables, for Flyway, Liquibase or a person. */
    public String schemaSql() {
        return schema(context()).sql();
    }

    /**
     * Creates or checks the tables as {@link #schemaMode} says, and returns the store.
     *
     * @throws SchemaException if the tables are not what the store needs
     */
    public InboxStore build() {
        JdbcContext context = context();
        schema(context).prepare();
        return new JdbcInboxStore(context);
    }

    private JdbcContext context() {
        return new JdbcContext("inbox", dataSource, dialect.get(), options);
    }

    private InboxSchema schema(JdbcContext context) {
        return new InboxSchema(dataSource, context, migrations.apply(context));
    }
}
