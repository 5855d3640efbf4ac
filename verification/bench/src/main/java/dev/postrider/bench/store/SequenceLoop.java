package dev.postrider.bench.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** All lanes together, by one cursor on the primary key. */
final class SequenceLoop implements JdbcLoop {

    private static final String SELECT = """
            SELECT lane, seq, id, topic, message_key, type, headers, content_type, payload, created_at
            FROM %s WHERE seq > ? ORDER BY seq LIMIT ?""";

    private final Connection connection;
    private final String table;
    private long last;
    private int sum;

    SequenceLoop(Connection connection, String table) {
        this.connection = connection;
        this.table = table;
    }

    @Override
    public int next() throws SQLException {
        List<Long> seqs = select();
        if (!seqs.isEmpty()) {
            delete(seqs);
            last = seqs.get(seqs.size() - 1);
        }
        return seqs.size();
    }

    private List<Long> select() throws SQLException {
        List<Long> seqs = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(SELECT.formatted(table))) {
            statement.setLong(1, last);
            statement.setInt(2, BATCH);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    seqs.add(row.getLong("seq"));
                    sum += JdbcLoop.read(row);
                }
            }
        }
        return seqs;
    }

    private void delete(List<Long> seqs) throws SQLException {
        String list = seqs.stream().map(String::valueOf).collect(Collectors.joining(","));
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM " + table + " WHERE seq IN (" + list + ")");
        }
    }

    @Override
    public String toString() {
        return "loop with sum " + sum;
    }
}
