package dev.postrider.testkit;

import dev.postrider.message.MessageId;
import dev.postrider.message.MessageLimits;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/**
 * A store as {@link StoreContract} needs it: empty, with a way to write to it, to let its time pass, and to look behind it.
 *
 * <p>A new one for each test, or one whose tables are emptied. {@link JdbcStoreFixture} does most of it for a real database.
 */
public interface StoreFixture extends AutoCloseable {

    OutboxStore store();

    /** Where writers get their connections; at least four at once. */
    DataSource dataSource();

    /** Returns when at least this much time has passed on the store's clock. */
    void letPass(Duration duration);

    /** How long the shortest lease of a test may be, so that it surely lasts for a few statements. */
    Duration shortTime();

    /** Inserts and commits a hot row as a writer in another language might, valid or not. */
    void insertForeign(ForeignRow row);

    /** Whether a row may name its lane, so that a wrong one must be refused; false if the store computes it. */
    default boolean refusesForeignLanes() {
        return true;
    }

    /** The records of what operators did, in order of time. */
    List<OperationRecord> operations();

    /** The ids in the audit trail. */
    List<MessageId> kept();

    /** Removes what the test left behind. */
    @Override
    default void close() {}

    /** What kind of store a test needs. */
    record Setup(int lanes, MessageLimits limits, boolean keepsDelivered) {}

    /**
     * A row of the hot table, field by field.
     *
     * @param headers the text of the headers column; empty for NULL
     */
    record ForeignRow(
            int lane,
            MessageId id,
            String topic,
            String key,
            String type,
            String headers,
            String contentType,
            byte[] payload) {}

    /** One row of the operation table. */
    record OperationRecord(String operator, String action, String details, int affected) {}
}
