package dev.postrider.bench.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Lane by lane, by a cursor in each, on the primary key. */
final class LaneLoop implements JdbcLoop {

    private static final int LANES = 16;
    private static final String SELECT = """
            SELECT lane, seq, id, topic, message_key, type, headers, content_type, payload, created_at
            FROM %s WHERE lane = ? AND seq > ? ORDER BY seq LIMIT ?""";
    private static final String DELETE = "DELETE FROM %s WHERE lane = ? AND seq = ANY (?)";

    private final Connection connection;
    private final String table;
    private final long[] last = new long[LANES];
    private int lane;
    private int sum;

    LaneLoop(Connection connection, String table) {
        this.connection = connection;
        this.table = table;
    }

    @Override
    public int next() throws SQLException {
        for (int tried = 0; tried < LANES; tried++) {
            lane = (lane + 1) % LANES;
            List<Long> seqs = select();
            if (!seqs.isEmpty()) {
                delete(seqs);
                last[lane] = seqs.get(seqs.size() - 1);
                return seqs.size();
            }
        }
        return 0;
    }

    private List<Long> select() throws SQLException {
        List<Long> seqs = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(SELECT.formatted(table))) {
            statement.setInt(1, lane);
            statement.setLong(2, last[lane]);
            statement.setInt(3, BATCH);
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
        try (PreparedStatement statement = connection.prepareStatement(DELETE.formatted(table))) {
            statement.setInt(1, lane);
            statement.setArray(2, connection.createArrayOf("bigint", seqs.toArray()));
            statement.executeUpdate();
        }
    }

    @Override
    public String toString() {
        return "loop with sum " + sum;
    }
}
