package dev.postrider.testkit;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** The in-memory store under a test clock: no time really passes. */
final class InMemoryFixture implements StoreFixture {

    private final TestClock clock = new TestClock();
    private final InMemoryOutboxStore store;

    InMemoryFixture(Setup setup) {
        store = new InMemoryOutboxStore(setup.lanes(), clock, setup.keepsDelivered(), setup.limits());
    }

    @Override
    public InMemoryOutboxStore store() {
        return store;
    }

    @Override
    public DataSource dataSource() {
        return store.dataSource();
    }

    @Override
    public void letPass(Duration duration) {
        clock.advance(duration);
    }

    @Override
    public Duration shortTime() {
        return Duration.ofSeconds(10);
    }

    @Override
    public void insertForeign(ForeignRow row) {
        store.insertForeign(row);
    }

    @Override
    public List<OperationRecord> operations() {
        return store.operations();
    }

    @Override
    public List<MessageId> kept() {
        return store.kept().stream().map(OutboxMessage::id).toList();
    }
}
