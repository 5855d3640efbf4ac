package dev.postrider.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** Creates, upgrades, checks and prints the tables of one inbox. */
final class InboxSchema {

    private final DataSource dataSource;
    private final JdbcContext context;
    private final List<Migration> migrations;
    private final SchemaFacts facts;

    InboxSchema(DataSource dataSource, JdbcContext context, List<Migration> migrations) {
        this.dataSource = dataSource;
        this.context = context;
        this.migrations = migrations;
        this.facts = new SchemaFacts(context);
    }

    void prepare() {
        if (context.options().schemaMode() != SchemaMode.NONE) {
            DatabaseProduct.require(dataSource, context.dialect().products());
        }
        switch (context.options().schemaMode()) {
            case CREATE -> new SchemaLock(dataSource, context).run("create the schema", this::migrate);
            case VERIFY -> context.longTransactions().run("verify the schema", this::verify);
            case NONE -> {}
        }
    }

    String sql() {
        List<String> statements = new ArrayList<>();
        migrations.forEach(migration -> statements.addAll(migration.statements()));
        statements.add(facts.insertSql(Map.of(SchemaFacts.VERSION, String.valueOf(latest()))));
        return String.join(";\n\n", statements) + ";\n";
    }

    private int latest() {
        return migrations.get(migrations.size() - 1).version();
    }

    private void migrate(Connection connection) throws SQLException {
        ForeignTables.ofInbox(context).requireOwn(connection);
        int present = presentVersion(connection);
        refuseNewer(present);
        for (Migration migration : migrations) {
            if (migration.version() > present) {
                Schema.run(connection, migration.statements());
                facts.write(connection, SchemaFacts.VERSION, String.valueOf(migration.version()));
            }
        }
    }

    private void verify(Connection connection) throws SQLException {
        ForeignTables.ofInbox(context).requireOwn(connection);
        int present = presentVersion(connection);
        refuseNewer(present);
        if (present < latest()) {
            throw new SchemaException("Inbox " + context.tables().outboxName()
                    + (present == 0
                            ? " has no tables"
                            : " has schema version " + present + ", this store needs " + latest())
                    + ". Create or upgrade it with schemaMode(CREATE), or run the SQL that"
                    + " schemaSql() returns");
        }
    }

    private int presentVersion(Connection connection) throws SQLException {
        return facts.read(connection)
                .map(stored -> Integer.parseInt(stored.getOrDefault(SchemaFacts.VERSION, "0")))
                .orElse(0);
    }

    private void refuseNewer(int present) {
        if (present > latest()) {
            throw new SchemaException("Inbox " + context.tables().outboxName() + " has schema version " + present
                    + ", this store knows only " + latest() + ". Use a newer version of Postrider here as well");
        }
    }
}
