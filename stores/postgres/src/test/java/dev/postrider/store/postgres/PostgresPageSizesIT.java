package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.LaneScan.Fetched;
import dev.postrider.spi.OutboxRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of small and large rows, for which the scan has statements of their own. */
class PostgresPageSizesIT {

    private static final HikariDataSource POOL = TestOutbox.poolOnSharedServer();

    private static final int MESSAGES = 400;
    private static final int MAX_ROWS = 24;
    private static final int MAX_BYTES = 6_000;
    /** Those of a page of small rows, of a page of large ones, and more than any page has. */
    private static final int[] SIZES = {0, 10, 200, 900, 5_000, 9_000};

    private final TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.lanes(4));
    private final ScanDriver driver = ScanDriver.ofAllLanes(outbox.store()).limitedTo(MAX_ROWS, MAX_BYTES);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void keepsOrderAndLimitsWhereverSmallAndLargeRowsLie(long seed) throws SQLException {
        commit(messages(new Random(seed)));

        Fetched fetched;
        do {
            fetched = driver.fetch();
            assertThat(fetched.rows()).hasSizeLessThanOrEqualTo(MAX_ROWS);
            assertThat(fetched.rows().size() == 1 || bytes(fetched) <= MAX_BYTES)
                    .as("%d rows of %d bytes together", fetched.rows().size(), bytes(fetched))
                    .isTrue();
        } while (fetched.more() || !fetched.rows().isEmpty());

        assertThat(driver.received()).hasSize(MESSAGES);
        for (int lane = 0; lane < 4; lane++) {
            assertThat(seqsReceived(lane)).isSorted();
        }
    }

    /** In runs of one size, and one by one. */
    private static List<OutboxMessage> messages(Random random) {
        List<OutboxMessage> messages = new ArrayList<>();
        while (messages.size() < MESSAGES) {
            int size = SIZES[random.nextInt(SIZES.length)];
            int run = Math.min(1 + random.nextInt(40), MESSAGES - messages.size());
            IntStream.range(0, random.nextBoolean() ? run : 1)
                    .forEach(n -> messages.add(message("k" + random.nextInt(20), size)));
        }
        return messages;
    }

    private static OutboxMessage message(String key, int size) {
        return OutboxMessage.builder("orders")
                .key(key)
                .type("OrderPlaced")
                .payload(new byte[size])
                .build();
    }

    private void commit(List<OutboxMessage> messages) throws SQLException {
        try (Connection connection = outbox.begin()) {
            outbox.store().insert(connection, messages);
            connection.commit();
        }
    }

    private List<Long> seqsReceived(int lane) {
        return driver.received().stream()
                .filter(row -> row.lane() == lane)
                .map(OutboxRow::seq)
                .toList();
    }

    private static long bytes(Fetched fetched) {
        return fetched.rows().stream()
                .mapToLong(row -> ((OutboxRow.Hot) row).message().payload().length)
                .sum();
    }
}
