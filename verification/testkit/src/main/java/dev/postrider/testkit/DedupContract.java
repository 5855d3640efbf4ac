package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Dedup keys: a second enqueue of the same thing is a no-op. */
interface DedupContract extends ContractPart {

    private static OutboxMessage withDedupKey(String dedupKey) {
        return StoreDriver.builder("t").dedupKey(dedupKey).build();
    }

    @Test
    default void leavesOutAMessageWhoseDedupKeyIsKnown() {
        OutboxMessage first = withDedupKey("order-1");
        OutboxMessage other = withDedupKey("order-2");
        driver().commit(first);

        List<OutboxMessage> inserted = driver().commit(withDedupKey("order-1"), other);

        assertThat(inserted).containsExactly(other);
        assertThat(driver().hotIds()).containsExactlyInAnyOrder(first.id(), other.id());
    }

    @Test
    default void insertsTheFirstOfTwoMessagesWithOneDedupKey() {
        OutboxMessage first = withDedupKey("order-1");
        OutboxMessage keyless = StoreDriver.message("a");

        List<OutboxMessage> inserted = driver().commit(first, withDedupKey("order-1"), keyless);

        assertThat(inserted).containsExactly(first, keyless);
    }

    @Test
    default void insertsAMessageOnceThatIsEnqueuedTwice() {
        OutboxMessage message = withDedupKey("order-1");

        assertThat(driver().commit(message, message)).containsExactly(message);
        assertThat(driver().commit(message)).isEmpty();
        assertThat(driver().hotIds()).containsExactly(message.id());
    }

    @Test
    default void tellsDedupKeysApartByBytes() {
        List<OutboxMessage> different = List.of(
                withDedupKey("order"),
                withDedupKey("Order"),
                withDedupKey("order "),
                withDedupKey("o\u0308rder"),
                withDedupKey("\u00f6rder"));

        assertThat(driver().commit(different.toArray(OutboxMessage[]::new))).isEqualTo(different);
    }

    @Test
    default void freesTheDedupKeyOfARolledBackTransaction() {
        Connection connection = driver().begin();
        driver().insert(connection, withDedupKey("order-1"));
        StoreDriver.rollback(connection);
        OutboxMessage second = withDedupKey("order-1");

        assertThat(driver().commit(second)).containsExactly(second);
    }

    @Test
    default void freesTheDedupKeyOfARolledBackSavepoint() throws SQLException {
        Connection connection = driver().begin();
        Savepoint savepoint = connection.setSavepoint();
        driver().insert(connection, withDedupKey("order-1"));
        connection.rollback(savepoint);
        OutboxMessage second = withDedupKey("order-1");

        assertThat(driver().store().insert(connection, List.of(second))).containsExactly(second);
        StoreDriver.commit(connection);
    }

    @Test
    default void appliesDedupKeysToDelayedMessages() {
        OutboxMessage delayed = StoreDriver.builder("t")
                .dedupKey("order-1")
                .deliverAfter(Duration.ofHours(1))
                .build();

        assertThat(driver().commit(delayed)).containsExactly(delayed);
        assertThat(driver().commit(withDedupKey("order-1"))).isEmpty();
    }

    @Test
    default void letsOneOfTwoConcurrentWritersWin() throws Exception {
        OutboxMessage winner = withDedupKey("order-1");
        Connection first = driver().begin();
        driver().insert(first, winner);
        CompletableFuture<List<OutboxMessage>> second =
                CompletableFuture.supplyAsync(() -> driver().commit(withDedupKey("order-1")));
        StoreDriver.commit(first);

        assertThat(second.get(30, TimeUnit.SECONDS)).isEmpty();
        assertThat(driver().hotIds()).containsExactly(winner.id());
    }
}
