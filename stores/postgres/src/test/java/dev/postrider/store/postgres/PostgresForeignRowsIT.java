package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.Lane;
import dev.postrider.message.MessageId;
import dev.postrider.spi.OutboxRow;
import dev.postrider.testservers.Servers;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the table does for writers in other languages: it gives a row its lane, and says what is wrong with a bad one. */
class PostgresForeignRowsIT {

    private static final HikariDataSource POOL =
            TestOutbox.pool(Servers.postgres().createDatabase("foreign_rows").dataSource());
    private static final TestOutbox REFUSING = TestOutbox.create(POOL);
    private static final String INSERT = "INSERT INTO {outbox} ";

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 16, 1000})
    void computesTheLaneAsEveryWriterDoes(int lanes) throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.lanes(lanes));
        MessageId id = MessageId.of("0190a3f2-0000-7000-8000-00000000ffff");
        for (String key : List.of("a", "order-4711", "schl\u00fcssel", "\uD83D\uDE00", "back\\slash", "it''s", " ")) {
            String lane = String.valueOf(Lane.forKey(key.replace("''", "'"), lanes));
            outbox.execute(INSERT
                    + "(id, topic, message_key, type, payload) VALUES ('%s', 't', '%s', 'T', '')".formatted(id, key));
            assertThat(outbox.query("SELECT {outbox}_lane_of('%s', '%s')".formatted(key, id)))
                    .isEqualTo(lane);
            assertThat(outbox.query("SELECT lane FROM {outbox} WHERE message_key = '%s'".formatted(key)))
                    .isEqualTo(lane);
        }
        String lane = String.valueOf(Lane.forId(id, lanes));
        outbox.execute(INSERT + "(id, topic, type, payload) VALUES ('%s', 't', 'T', '')".formatted(id));
        assertThat(outbox.query("SELECT {outbox}_lane_of(NULL, '%s')".formatted(id)))
                .isEqualTo(lane);
        assertThat(outbox.query("SELECT lane FROM {outbox} WHERE message_key IS NULL"))
                .isEqualTo(lane);
    }

    @Test
    void takesARowFromAWriterThatKnowsNothingButItsMessage() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL);
        outbox.execute("""
                INSERT INTO {outbox} (id, topic, message_key, type, payload)
                VALUES (gen_random_uuid(), 'orders', 'k', 'OrderPlaced', 'hello')""");

        OutboxRow row = ScanDriver.ofAllLanes(outbox.store()).fetchAll().get(0);

        assertThat(row.lane()).isEqualTo(Lane.forKey("k", 16));
        assertThat(((OutboxRow.Hot) row).message().payload()).asString().isEqualTo("hello");
    }

    @Test
    void letsNobodyChooseANumberOfATransaction() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL);
        ScanDriver driver = ScanDriver.ofAllLanes(outbox.store());
        driver.fetchAll();

        for (String chosen : List.of("3", "9000000000000")) {
            outbox.execute(INSERT
                    + "(tx, id, topic, type, payload) VALUES ('%s', gen_random_uuid(), 't', 'T', '')"
                            .formatted(chosen));
            assertThat(driver.fetchAll()).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            lane, topic, type            | -1, 't', 'T'                       | lane is -1, but that of this key or id is
            lane, topic, type            | 16, 't', 'T'                       | lane is 16, but that of this key or id is
            seq, topic, type             | 3, 't', 'T'                        | into column "seq"
            topic, type                  | '', 'T'                            | topic has 0 bytes, allowed are 1 to 255
            topic, type                  | repeat('\u00e4', 128), 'T'         | topic has 256 bytes, allowed are 1 to 255
            topic, type                  | 't', ''                            | type has 0 bytes, allowed are 1 to 255
            topic, type                  | 't', repeat('T', 256)              | type has 256 bytes, allowed are 1 to 255
            topic, type, message_key     | 't', 'T', ''                       | message_key has 0 bytes, allowed are 1 to 512, or NULL
            topic, type, message_key     | 't', 'T', repeat('k', 10000000)    | message_key has 10000000 bytes, allowed are 1 to 512, or NULL
            topic, type, content_type    | 't', 'T', repeat('c', 256)         | content_type has 256 bytes, allowed are 1 to 255
            topic, type, headers         | 't', 'T', '{'                      | invalid input syntax for type json
            topic, type                  | 't', NULL                          | null value in column "type"
            """)
    void refusesARowThatNoRelayCouldDeliver(String columns, String values, String reason) throws SQLException {
        assertThatThrownBy(() -> REFUSING.execute(
                        INSERT + "(id, payload, %s) VALUES (gen_random_uuid(), '', %s)".formatted(columns, values)))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining(reason);
        assertThat(REFUSING.query("SELECT count(*) FROM {outbox}")).isEqualTo("0");
    }

    @Test
    void refusesToMoveARowToAnotherLane() throws SQLException {
        TestOutbox outbox = TestOutbox.create(POOL);
        outbox.insertCommitted("k");

        assertThatThrownBy(() -> outbox.execute("UPDATE {outbox} SET lane = (lane + 1) % 16"))
                .hasMessageContaining("leave it out");
    }
}
