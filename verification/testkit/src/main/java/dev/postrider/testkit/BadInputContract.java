package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Outbox;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import java.sql.Connection;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a writer may get wrong: a clear error, and nothing is written, not even of the messages beside the bad one. */
interface BadInputContract extends ContractPart {

    @Test
    default void refusesBadMessagesAndWritesNothing() {
        StoreDriver driver = driverWithLimits(MessageLimits.defaults().withMaxPayloadBytes(1000));
        Outbox outbox = Outbox.withDefaults(driver.store());
        Map<String, Supplier<OutboxMessage>> bad = Map.of(
                "payload",
                        () -> StoreDriver.builder("t").payload(new byte[1001]).build(),
                "key", () -> StoreDriver.builder("t").key("k".repeat(10 << 20)).build(),
                "header", () -> StoreDriver.builder("t").header("a\r\nb", "x").build(),
                "topic", () -> StoreDriver.builder("t\u0000").build(),
                "number 2 of 2", () -> null);
        Connection connection = driver.begin();

        bad.forEach((subject, message) -> assertThatThrownBy(
                        () -> outbox.enqueue(connection, both(StoreDriver.message("good"), message.get())))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining(subject)
                .satisfies(failure -> assertThat(failure.getMessage()).hasSizeLessThan(500)));

        StoreDriver.commit(connection);
        assertThat(driver.hotIds()).isEmpty();
    }

    @Test
    default void refusesAConnectionWithoutTransactionAndWritesNothing() throws Exception {
        Outbox outbox = Outbox.withDefaults(driver().store());
        try (Connection connection = driver().fixture().dataSource().getConnection()) {
            connection.setAutoCommit(true);

            assertThatThrownBy(() -> outbox.enqueue(connection, StoreDriver.message("a")))
                    .hasMessageContaining("transaction");
        }
        assertThat(driver().hotIds()).isEmpty();
    }

    private static List<OutboxMessage> both(OutboxMessage good, OutboxMessage bad) {
        return Arrays.asList(good, bad);
    }
}
