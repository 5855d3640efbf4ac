package dev.postrider.store.mysql;

import dev.postrider.message.Lane;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** A writer in REPEATABLE READ that keeps an uncommitted row in every lane open for a while, again and again. */
final class OpenWriter {

    private final DataSource dataSource;
    private final OutboxStore store;
    private final List<String> keys;
    private int committed;

    OpenWriter(DataSource dataSource, OutboxStore store) {
        this.dataSource = dataSource;
        this.store = store;
        this.keys =
                IntStream.range(0, store.laneCount()).mapToObj(this::keyOfLane).toList();
    }

    private String keyOfLane(int lane) {
        return IntStream.iterate(0, n -> n + 1)
                .mapToObj(n -> "open-" + n)
                .filter(key -> Lane.forKey(key, store.laneCount()) == lane)
                .findFirst()
                .orElseThrow();
    }

    void write(long deadline) throws SQLException, InterruptedException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            for (int round = 0; System.nanoTime() - deadline < 0; round++) {
                store.insert(connection, messages());
                TimeUnit.MILLISECONDS.sleep(1800);
                if (round % 3 == 2) {
                    connection.rollback();
                } else {
                    connection.commit();
                    committed++;
                }
                TimeUnit.MILLISECONDS.sleep(1300);
            }
        }
    }

    /** One for every lane. */
    List<OutboxMessage> messages() {
        return keys.stream()
                .map(key -> BusinessWriters.message(key, committed + 1))
                .toList();
    }

    List<String> keys() {
        return keys;
    }

    long committed() {
        return committed;
    }
}
