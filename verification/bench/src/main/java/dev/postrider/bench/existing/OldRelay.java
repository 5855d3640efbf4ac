package dev.postrider.bench.existing;

import dev.postrider.bench.existing.ExistingScenario.Setting;
import dev.postrider.bench.existing.OldSystem.Workers;
import dev.postrider.bench.measure.DrainTimer;
import dev.postrider.bench.measure.Round;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;

/** Drains a table to nowhere by the statements of its own system, without the pauses that it makes between batches. */
final class OldRelay {

    private final DataSource dataSource;
    private final OldSystem system;
    private final String table;
    private final Setting setting;
    /** What was marked; some systems send and mark a row more than once. */
    private final Set<String> done = ConcurrentHashMap.newKeySet();

    OldRelay(DataSource dataSource, OldSystem system, String table, Setting setting) {
        this.dataSource = dataSource;
        this.system = system;
        this.table = table;
        this.setting = setting;
    }

    Round drain(int messages) throws Exception {
        DrainTimer timer = new DrainTimer(messages);
        ExecutorService threads = Executors.newFixedThreadPool(setting.workers());
        try {
            if (system.workers() == Workers.BY_ENTITY) {
                drainByEntity(threads, timer);
            } else {
                all(threads, Collections.nCopies(setting.workers(), () -> drainAlone(timer)));
            }
        } finally {
            threads.shutdownNow();
        }
        return timer.round(done.size());
    }

    private static void all(ExecutorService threads, List<Callable<Integer>> work) throws Exception {
        for (Future<Integer> each : threads.invokeAll(work)) {
            each.get();
        }
    }

    private int drainAlone(DrainTimer timer) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            List<Row> rows;
            do {
                rows = claim(connection);
                mark(connection, rows);
                if (system.workers() == Workers.IN_TRANSACTIONS) {
                    execute(connection, "COMMIT");
                }
                sent(timer, rows);
            } while (!rows.isEmpty());
        }
        return done.size();
    }

    private void drainByEntity(ExecutorService threads, DrainTimer timer) throws Exception {
        List<Row> rows;
        do {
            try (Connection connection = dataSource.getConnection()) {
                rows = claim(connection);
            }
            Map<String, List<Row>> byEntity = new LinkedHashMap<>();
            rows.forEach(row -> byEntity.computeIfAbsent(row.entity(), key -> new ArrayList<>())
                    .add(row));
            all(threads, byEntity.values().stream().map(this::marking).toList());
            sent(timer, rows);
        } while (!rows.isEmpty());
    }

    private Callable<Integer> marking(List<Row> rows) {
        return () -> {
            try (Connection connection = dataSource.getConnection()) {
                mark(connection, rows);
            }
            return rows.size();
        };
    }

    private void sent(DrainTimer timer, Collection<Row> rows) {
        rows.forEach(row -> done.add(row.text()));
        timer.reached(done.size());
    }

    /** Reads all that is needed for sending. */
    private List<Row> claim(Connection connection) throws SQLException {
        for (String statement : system.before()) {
            execute(connection, statement.formatted(table));
        }
        try (PreparedStatement claim =
                connection.prepareStatement(system.claim().formatted(table))) {
            claim.setInt(1, setting.batch());
            try (ResultSet rows = claim.executeQuery()) {
                List<Row> claimed = new ArrayList<>();
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    for (int column = 3; column <= columns; column++) {
                        rows.getObject(column);
                    }
                    claimed.add(Row.of(rows.getObject(1), rows.getString(2)));
                }
                return claimed;
            }
        }
    }

    private void mark(Connection connection, List<Row> rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        if (system.marksBatches()) {
            String list = "(" + "?, ".repeat(rows.size() - 1) + "?)";
            update(connection, system.sent().formatted(table).replace("(?)", list), rows);
            return;
        }
        for (Row row : rows) {
            for (String sending : system.sending()) {
                update(connection, sending.formatted(table), List.of(row));
            }
            update(connection, system.sent().formatted(table), List.of(row));
        }
    }

    private static void update(Connection connection, String sql, List<Row> rows) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            for (int index = 0; index < rows.size(); index++) {
                update.setObject(index + 1, rows.get(index).id());
            }
            update.executeUpdate();
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** One row: its id as the driver has it, and as a text. */
    private record Row(Object id, String text, String entity) {

        static Row of(Object id, String entity) {
            return new Row(id, id instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : id.toString(), entity);
        }
    }
}
