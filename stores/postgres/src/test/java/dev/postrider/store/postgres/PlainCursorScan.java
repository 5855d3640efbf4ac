package dev.postrider.store.postgres;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.KeyState;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The obvious scan, which is wrong: everything after the last seq seen. It shows that the tests would notice. */
final class PlainCursorScan implements LaneScan {

    private final TestOutbox outbox;
    private final Map<Integer, Long> lastSeen = new HashMap<>();

    PlainCursorScan(TestOutbox outbox) {
        this.outbox = outbox;
    }

    @Override
    public Fetched fetch(FetchRequest request) {
        List<OutboxRow> rows = new ArrayList<>();
        try (Connection connection = outbox.dataSource().getConnection()) {
            for (int lane : request.lanes()) {
                rows.addAll(fetch(connection, lane));
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        return new Fetched(rows, false, false, Instant.EPOCH);
    }

    private List<OutboxRow> fetch(Connection connection, int lane) throws SQLException {
        String sql = "SELECT seq, id, message_key, payload FROM " + outbox.table()
                + " WHERE lane = ? AND seq > ? ORDER BY seq";
        List<OutboxRow> rows = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, lane);
            statement.setLong(2, lastSeen.getOrDefault(lane, 0L));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    lastSeen.put(lane, row.getLong("seq"));
                    rows.add(row(lane, row));
                }
            }
        }
        return rows;
    }

    private static OutboxRow row(int lane, ResultSet row) throws SQLException {
        MessageId id = MessageId.fromUuid(row.getObject("id", UUID.class));
        OutboxMessage message = OutboxMessage.builder("orders")
                .id(id)
                .key(row.getString("message_key"))
                .type("T")
                .payload(row.getBytes("payload"))
                .build();
        return new OutboxRow.Hot(new RowRef(lane, row.getLong("seq"), id), message, Instant.EPOCH, KeyState.FREE);
    }

    @Override
    public void add(TakenLane lane) {
        lastSeen.put(lane.lease().lane(), 0L);
    }

    @Override
    public void remove(int lane) {
        lastSeen.remove(lane);
    }

    @Override
    public void restart(int lane) {
        lastSeen.put(lane, 0L);
    }

    @Override
    public long[] sweep(int lane, Set<String> excludedTopics, Duration minAge, int limit) {
        return new long[0];
    }

    @Override
    public Optional<String> position(int lane, long lowestUnsettled) {
        return Optional.empty();
    }
}
