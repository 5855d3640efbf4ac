package dev.postrider.store.jdbc;

import static java.util.Objects.requireNonNull;

import dev.postrider.internal.Internal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Creates, upgrades, checks and prints the tables of one outbox.
 *
 * <p>Processes that start at once wait for each other ({@link Dialect#lockSchema}). Each step's version is recorded with it,
 * so that an interrupted upgrade goes on where it stopped.
 */
@Internal
public final class Schema {

    private final DataSource dataSource;
    private final JdbcContext context;
    private final SchemaDefinition definition;
    private final SchemaFacts facts;
    private final SchemaCheck check;
    private final ForeignTables foreign;

    public Schema(DataSource dataSource, JdbcContext context, SchemaDefinition definition) {
        this.dataSource = dataSource;
        this.context = context;
        this.definition = definition;
        this.facts = new SchemaFacts(context);
        this.check = new SchemaCheck(context, definition.version());
        this.foreign = ForeignTables.ofOutbox(context);
        definition.auditTrail(context.options().audit());
    }

    /** Does what {@link JdbcStoreOptions#schemaMode()} says. */
    public void prepare() {
        if (context.options().schemaMode() != SchemaMode.NONE) {
            DatabaseProduct.require(dataSource, context.dialect().products());
        }
        switch (context.options().schemaMode()) {
            case CREATE -> create();
            case VERIFY -> verify();
            case NONE -> {}
        }
    }

    /** Plain SQL that creates everything at once, for Flyway, Liquibase or a person. */
    public String sql() {
        List<String> statements = new ArrayList<>(definition.meta());
        definition.migrations().forEach(migration -> statements.addAll(migration.statements()));
        statements.addAll(definition.auditTrail(context.options().audit()));
        statements.add(facts.insertSql(Map.of(
                SchemaFacts.VERSION, String.valueOf(definition.version()),
                SchemaFacts.READABLE_FROM, String.valueOf(definition.readableFrom()),
                SchemaFacts.LANES, String.valueOf(context.options().lanes()),
                SchemaFacts.PAYLOAD, context.options().payload().name(),
                SchemaFacts.AUDIT, context.options().audit().name())));
        return String.join(";\n\n", statements) + ";\n";
    }

    /**
     * Plain SQL that upgrades tables of an older version to the present one.
     *
     * @throws IllegalArgumentException if there is no such version, or nothing has changed since
     */
    public String upgradeSql(int from) {
        int latest = definition.version();
        if (latest == 1) {
            throw new IllegalArgumentException("from is %d, but version 1 of the tables is the first".formatted(from));
        }
        if (from < 1 || from >= latest) {
            throw new IllegalArgumentException(
                    "from is %d, expected a version before %d, which is the present one".formatted(from, latest));
        }
        List<String> statements = new ArrayList<>();
        definition.migrations().stream()
                .filter(migration -> migration.version() > from)
                .forEach(migration -> statements.addAll(migration.statements()));
        statements.add(facts.updateSql(SchemaFacts.READABLE_FROM, String.valueOf(definition.readableFrom())));
        statements.add(facts.updateSql(SchemaFacts.VERSION, String.valueOf(latest)));
        return String.join(";\n\n", statements) + ";\n";
    }

    /** What the tables were created with; empty when there are none, or when creating them did not come to its end. */
    public Optional<StoredSchema> stored() {
        return context.longTransactions()
                .inTransaction("read the schema", this::ownFacts)
                .filter(found -> found.containsKey(SchemaFacts.VERSION))
                .map(found -> new StoredSchema(
                        Integer.parseInt(found.get(SchemaFacts.VERSION)),
                        Integer.parseInt(found.get(SchemaFacts.LANES)),
                        PayloadFormat.valueOf(requireNonNull(found.get(SchemaFacts.PAYLOAD))),
                        AuditTrail.valueOf(found.getOrDefault(SchemaFacts.AUDIT, AuditTrail.NONE.name()))));
    }

    private void verify() {
        context.longTransactions().run("verify the schema", connection -> {
            check.fits(ownFacts(connection).orElseThrow(check::missing));
        });
    }

    private Optional<Map<String, String>> ownFacts(Connection connection) throws SQLException {
        foreign.requireOwn(connection);
        return facts.read(connection);
    }

    private void create() {
        new SchemaLock(dataSource, context).run("create the schema", this::migrate);
    }

    private void migrate(Connection connection) throws SQLException {
        Optional<Map<String, String>> found = ownFacts(connection);
        Map<String, String> stored = found.orElse(Map.of());
        check.canUpgrade(stored);
        int version = Integer.parseInt(stored.getOrDefault(SchemaFacts.VERSION, "0"));
        if (version == 0) {
            begin(connection, found.isEmpty());
        }
        for (Migration migration : definition.migrations()) {
            if (migration.version() > version) {
                run(connection, migration.statements());
                facts.write(connection, SchemaFacts.READABLE_FROM, String.valueOf(definition.readableFrom()));
                facts.write(connection, SchemaFacts.VERSION, String.valueOf(migration.version()));
            }
        }
        createAuditTrail(connection, stored);
    }

    /**
     * Says first how the tables are made. Whoever goes on after an interruption must want the same: with another lane count,
     * the tables that are there would put messages into lanes that nobody owns.
     */
    private void begin(Connection connection, boolean isNew) throws SQLException {
        if (isNew) {
            foreign.requireFreeNames(connection);
            run(connection, definition.meta());
        }
        JdbcStoreOptions options = context.options();
        facts.write(connection, SchemaFacts.LANES, String.valueOf(options.lanes()));
        facts.write(connection, SchemaFacts.PAYLOAD, options.payload().name());
    }

    private void createAuditTrail(Connection connection, Map<String, String> stored) throws SQLException {
        AuditTrail wanted = context.options().audit();
        String present = stored.getOrDefault(SchemaFacts.AUDIT, AuditTrail.NONE.name());
        if (wanted != AuditTrail.NONE && present.equals(AuditTrail.NONE.name())) {
            run(connection, definition.auditTrail(wanted));
            facts.write(connection, SchemaFacts.AUDIT, wanted.name());
        }
    }

    static void run(Connection connection, List<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
