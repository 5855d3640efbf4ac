package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Due;
import dev.postrider.message.Headers;
import dev.postrider.message.Lane;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.OutboxRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Writing: what was committed is there, byte for byte, and nothing else. */
interface InsertContract extends ContractPart {

    @Test
    default void bringsBackEveryFieldOfACommittedMessage() {
        OutboxMessage written = OutboxMessage.builder("orders.v1")
                .key("customer-7")
                .type("com.example.OrderPlaced")
                .contentType("application/json")
                .headers(Map.of("a", "1", "b", "2"))
                .payload(StoreDriver.bytes("{\"total\": 42}"))
                .build();

        driver().commit(written);

        assertSame(written, ((OutboxRow.Hot) driver().hotRow(written)).message());
    }

    @Test
    default void bringsBackAMessageWithoutKeyHeadersAndPayload() {
        OutboxMessage written = StoreDriver.builder("t").build();

        driver().commit(written);

        assertSame(written, ((OutboxRow.Hot) driver().hotRow(written)).message());
    }

    @Test
    default void bringsBackOddCharactersInEveryField() {
        OutboxMessage written = OutboxMessage.builder("tópic 'with' \"quotes\" \\ % _ 😀 ")
                .key(" key\nwith\tbreaks; DROP TABLE outbox; -- 漢字 \uD83D\uDE80 ${x} ? :name ")
                .type("type ' \" \\ 🎉 ß ")
                .contentType("text/plain; charset=\"utf-8\" €")
                .header("näme \"quoted\" \\ 😀", "value \" \\ / \b\f\n\r\t \u0001 \u007f 😀 \u2028 漢字 ")
                .header("empty", "")
                .header("json", "{\"a\":[1,null]}")
                .payload(allBytes())
                .build();

        driver().commit(written);

        assertSame(written, ((OutboxRow.Hot) driver().hotRow(written)).message());
    }

    @Test
    default void keepsTheOrderOfHeaders() {
        Headers headers = Headers.none().with("z", "1").with("a", "2").with("m", "3");
        OutboxMessage written = StoreDriver.builder("t").headers(headers).build();

        driver().commit(written);

        Headers read = ((OutboxRow.Hot) driver().hotRow(written)).message().headers();
        assertThat(read.asMap().keySet()).containsExactly("z", "a", "m");
    }

    @Test
    default void takesFieldsOfTheGreatestLength() {
        OutboxMessage written = OutboxMessage.builder("😀".repeat(63) + "abc")
                .key("漢".repeat(170) + "xy")
                .type("t".repeat(255))
                .contentType("c".repeat(255))
                .payload(new byte[driver().store().limits().maxPayloadBytes()])
                .build();

        driver().commit(written);

        assertSame(written, ((OutboxRow.Hot) driver().hotRow(written)).message());
    }

    private static byte[] allBytes() {
        byte[] bytes = new byte[256];
        IntStream.range(0, bytes.length).forEach(i -> bytes[i] = (byte) i);
        return bytes;
    }

    private static void assertSame(OutboxMessage written, OutboxMessage read) {
        assertThat(read.id()).isEqualTo(written.id());
        assertThat(read.topic()).isEqualTo(written.topic());
        assertThat(read.key()).isEqualTo(written.key());
        assertThat(read.type()).isEqualTo(written.type());
        assertThat(read.contentType()).isEqualTo(written.contentType());
        assertThat(read.headers()).isEqualTo(written.headers());
        assertThat(read.payload()).isEqualTo(written.payload());
        assertThat(read.due()).isEqualTo(Due.NOW);
        assertThat(read.dedupKey()).isEmpty();
    }

    @Test
    default void putsEachMessageIntoTheLaneOfItsKeyOrId() {
        OutboxMessage keyed = StoreDriver.message("customer-7");
        OutboxMessage keyless = StoreDriver.builder("t").build();

        driver().commit(keyed, keyless);

        int lanes = driver().store().laneCount();
        assertThat(driver().hotRow(keyed).lane()).isEqualTo(Lane.forKey("customer-7", lanes));
        assertThat(driver().hotRow(keyless).lane()).isEqualTo(Lane.forId(keyless.id(), lanes));
    }

    @Test
    default void returnsWhatItInsertedInOrder() {
        List<OutboxMessage> messages = List.of(
                StoreDriver.message("a"),
                StoreDriver.message("b"),
                StoreDriver.builder("t").build());

        assertThat(driver().commit(messages.toArray(OutboxMessage[]::new))).isEqualTo(messages);
    }

    @Test
    default void insertsNothingForNoMessages() {
        Connection connection = driver().begin();

        assertThat(driver().store().insert(connection, List.of())).isEmpty();

        StoreDriver.commit(connection);
        assertThat(driver().hotRows()).isEmpty();
    }

    @Test
    default void keepsTheOrderOfManyMessagesOfOneCall() {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < 1_300; i++) {
            messages.add(StoreDriver.message("key-" + i % 7));
        }

        driver().commit(messages.toArray(OutboxMessage[]::new));

        List<OutboxRow> rows = driver().hotRows();
        for (int lane : driver().allLanes()) {
            assertThat(rows.stream().filter(row -> row.lane() == lane).map(OutboxRow::id))
                    .containsExactlyElementsOf(messages.stream()
                            .filter(message -> Lane.of(message, driver().store().laneCount()) == lane)
                            .map(OutboxMessage::id)
                            .toList());
        }
    }

    @Test
    default void showsNothingOfAnOpenTransaction() {
        Connection connection = driver().begin();
        OutboxMessage message = StoreDriver.message("a");
        driver().insert(connection, message);

        assertThat(driver().hotRows()).isEmpty();

        StoreDriver.commit(connection);
        assertThat(driver().hotIds()).containsExactly(message.id());
    }

    @Test
    default void forgetsWhatWasRolledBack() {
        Connection connection = driver().begin();
        driver().insert(connection, StoreDriver.message("a"), StoreDriver.message("b"));
        StoreDriver.rollback(connection);

        assertThat(driver().hotRows()).isEmpty();
    }

    @Test
    default void forgetsWhatWasRolledBackToASavepoint() throws SQLException {
        OutboxMessage before = StoreDriver.message("a");
        OutboxMessage after = StoreDriver.message("a");
        Connection connection = driver().begin();
        driver().insert(connection, before);
        Savepoint savepoint = connection.setSavepoint();
        driver().insert(connection, StoreDriver.message("a"));
        connection.rollback(savepoint);
        driver().insert(connection, after);
        StoreDriver.commit(connection);

        assertThat(driver().hotIds()).containsExactly(before.id(), after.id());
    }
}
