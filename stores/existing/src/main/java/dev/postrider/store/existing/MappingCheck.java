package dev.postrider.store.existing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares a mapping with the table as it is, and reports all that does not fit at once. */
final class MappingCheck {

    private static final Set<String> READ_WHEN_DEAD = Set.of(
            Role.ID.option(),
            Role.PAYLOAD.option(),
            Role.MESSAGE_ID.option(),
            Role.KEY.option(),
            Role.AGGREGATE_TYPE.option(),
            Role.HEADERS.option(),
            Role.ATTEMPTS.option(),
            Role.LAST_ERROR.option(),
            Role.CREATED.option(),
            Role.LAST_ATTEMPT.option(),
            "type",
            "topic",
            "content-type");

    private final Database database;
    private final TableMapping mapping;
    private final Catalog catalog;
    private final List<String> problems = new ArrayList<>();

    private MappingCheck(Database database, TableMapping mapping) {
        this.database = database;
        this.mapping = mapping;
        this.catalog = new Catalog(database, mapping.localTimeIsUtc);
    }

    /** @throws MappingException naming every column that is missing or of the wrong type */
    static TableColumns check(
            Connection connection, Database database, TableMapping mapping, Optional<TablePath> archive)
            throws SQLException {
        return new MappingCheck(database, mapping).check(connection, archive);
    }

    private TableColumns check(Connection connection, Optional<TablePath> archiveTable) throws SQLException {
        Map<String, Column> real = catalog.existing(connection, mapping.table, "");
        mapping.named().forEach((purpose, column) -> requireColumn(real, purpose, column));
        mapping.columns.forEach((role, column) -> checkKind(role, real.get(column)));
        checkStatus(real);
        checkPartitions(connection);
        Optional<String> index = indexOnId(connection, real.get(mapping.columns.get(Role.ID)));
        MoveTarget delivered = target(connection, mapping.deliveredTable, neededWhenDelivered());
        MoveTarget dead = target(connection, mapping.deadTable, READ_WHEN_DEAD);
        MoveTarget archive = archive(connection, archiveTable);
        if (!problems.isEmpty()) {
            throw new MappingException(mapping.table, problems);
        }
        Map<Role, Column> byRole = new EnumMap<>(Role.class);
        mapping.columns.forEach((role, column) -> byRole.put(role, real.get(column)));
        String origin = mapping.origin.isPresent() ? mapping.origin.get() : catalog.path(connection, mapping.table);
        return new TableColumns(
                database,
                mapping,
                origin,
                index.orElseThrow(),
                byRole,
                new HashMap<>(real),
                delivered.columns(),
                dead.columns(),
                archive.columns());
    }

    /** Without one every outcome would read the whole table, and wait for rows that others have locked. */
    private Optional<String> indexOnId(Connection connection, @Nullable Column id) throws SQLException {
        Optional<String> index = id == null ? Optional.empty() : catalog.indexOn(connection, mapping.table, id);
        if (id != null && index.isEmpty()) {
            problems.add("column %s, mapped as id, is not the first column of any index".formatted(id.name()));
        }
        return index;
    }

    private void requireColumn(Map<String, Column> real, String purpose, String column) {
        if (!real.containsKey(column)) {
            problems.add("column %s, mapped as %s, is missing; the table has %s"
                    .formatted(column, purpose, String.join(", ", real.keySet())));
        }
    }

    private void checkKind(Role role, @Nullable Column column) {
        if (column == null) {
            return;
        }
        if (!role.kinds().contains(column.kind())) {
            problems.add("column %s, mapped as %s, is of type %s, expected %s"
                    .formatted(column.name(), role.option(), column.type(), kindsOf(role)));
        }
        boolean isEmptied = role == Role.DELIVERED && mapping.status.isEmpty();
        if (isEmptied && !column.isNullable()) {
            problems.add("column %s, mapped as delivered, may not be NULL, so no row could be undelivered"
                    .formatted(column.name()));
        }
        if (role == Role.CLAIMED_UNTIL && !column.isNullable()) {
            problems.add("column %s, mapped as claimed-until, may not be NULL, so no row could be free"
                    .formatted(column.name()));
        }
    }

    private static String kindsOf(Role role) {
        return role.kinds().stream()
                .map(kind -> kind.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .collect(Collectors.joining(" or "));
    }

    private void checkStatus(Map<String, Column> real) {
        if (mapping.status.isEmpty() || !real.containsKey(mapping.status.get().column())) {
            return;
        }
        Column column = real.get(mapping.status.get().column());
        StatusValues values = mapping.status.get();
        List<String> all = new ArrayList<>(List.of(values.pending()));
        List.of(values.sending(), values.retry(), values.delivered(), values.dead())
                .forEach(value -> value.ifPresent(all::add));
        for (String value : all) {
            if (column.kind() == ColumnKind.NUMBER && !value.matches("-?[0-9]{1,9}")) {
                problems.add("status '%s' is no number, but column %s is of type %s"
                        .formatted(value, column.name(), column.type()));
            } else if (column.kind() == ColumnKind.BOOLEAN && !value.matches("true|false")) {
                problems.add("status '%s' is neither true nor false, but column %s is of type %s"
                        .formatted(value, column.name(), column.type()));
            } else if (column.type().startsWith("enum(") && !column.type().contains("'" + value + "'")) {
                problems.add("status '%s' is not among the values of column %s: %s"
                        .formatted(value, column.name(), column.type()));
            }
        }
    }

    private void checkPartitions(Connection connection) throws SQLException {
        String column = mapping.columns.get(Role.PARTITION);
        if (column != null && !catalog.partitionedBy(connection, mapping.table).equals(Optional.of(column))) {
            problems.add(
                    "the table is not partitioned by range of column %s, mapped as partition, with a last partition up to MAXVALUE"
                            .formatted(column));
        }
    }

    /** Cleanup goes by the time of delivery, or else by when the row was written. */
    private Set<String> neededWhenDelivered() {
        Role time = mapping.columns.containsKey(Role.DELIVERED) ? Role.DELIVERED : Role.CREATED;
        return Set.of(Role.ID.option(), Role.PAYLOAD.option(), time.option());
    }

    private MoveTarget target(Connection connection, Optional<TablePath> to, Set<String> needed) throws SQLException {
        Map<String, String> columns = new LinkedHashMap<>();
        mapping.named().forEach((purpose, column) -> {
            if (needed.contains(purpose)) {
                columns.put(column, "mapped as " + purpose);
            }
        });
        return target(connection, mapping.table, to, columns);
    }

    /** The archive takes over all that there is. */
    private MoveTarget archive(Connection connection, Optional<TablePath> to) throws SQLException {
        TablePath from = mapping.deliveredTable.orElse(mapping.table);
        Map<String, String> columns = new LinkedHashMap<>();
        catalog.columns(connection, from).values().stream()
                .filter(column -> !column.isGenerated())
                .forEach(column -> columns.put(column.name(), "which table %s has".formatted(from)));
        return target(connection, from, to, columns);
    }

    private MoveTarget target(Connection connection, TablePath from, Optional<TablePath> to, Map<String, String> needed)
            throws SQLException {
        if (to.isEmpty()) {
            return MoveTarget.NONE;
        }
        MoveTarget target = MoveTarget.check(connection, catalog, from, to.get(), needed);
        problems.addAll(target.problems());
        return target;
    }
}
