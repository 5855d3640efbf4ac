package dev.postrider.spring.boot.test;

import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.HeldReport;
import dev.postrider.spi.LaneLeases;
import dev.postrider.spi.Maintenance;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Pauses;
import dev.postrider.spi.RelayStore;
import dev.postrider.spi.WakeSignal;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.InMemoryTransaction;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The outbox of the test kit, with Spring's transactions in the place of its own. Thread-safe. */
final class TransactionalMemoryStore implements OutboxStore {

    private final InMemoryOutboxStore memory;
    private final List<OutboxMessage> committed = new ArrayList<>();

    TransactionalMemoryStore(InMemoryOutboxStore memory) {
        this.memory = memory;
    }

    /** What was committed, and behind it what the transaction of this thread has written so far. */
    synchronized List<OutboxMessage> written() {
        List<OutboxMessage> all = new ArrayList<>(committed);
        current().ifPresent(transaction -> all.addAll(transaction.messages()));
        return all;
    }

    private Optional<MemoryTransaction> current() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                ? TransactionSynchronizationManager.getSynchronizations().stream()
                        .filter(MemoryTransaction.class::isInstance)
                        .map(MemoryTransaction.class::cast)
                        .filter(transaction -> transaction.isOf(this))
                        .findFirst()
                : Optional.empty();
    }

    synchronized void forget() {
        committed.clear();
    }

    /** One whose dedup key is known is left out when the transaction commits. */
    @Override
    public List<OutboxMessage> insert(Connection connection, List<OutboxMessage> messages) {
        MemoryTransaction transaction = current().orElseGet(() -> {
            MemoryTransaction begun = new MemoryTransaction(this);
            TransactionSynchronizationManager.registerSynchronization(begun);
            return begun;
        });
        transaction.messages().addAll(messages);
        return messages;
    }

    synchronized void commit(List<OutboxMessage> messages) {
        InMemoryTransaction transaction = memory.begin();
        committed.addAll(transaction.enqueue(messages.toArray(OutboxMessage[]::new)));
        transaction.commit();
    }

    /** For tests without a database. */
    DataSource dataSource() {
        return memory.dataSource();
    }

    @Override
    public String name() {
        return memory.name();
    }

    @Override
    public int laneCount() {
        return memory.laneCount();
    }

    @Override
    public MessageLimits limits() {
        return memory.limits();
    }

    @Override
    public LaneLeases leases() {
        return memory.leases();
    }

    @Override
    public RelayStore forRelay(Ordering ordering) {
        return memory.forRelay(ordering);
    }

    @Override
    public int unblock(Optional<String> key, String operator) {
        return memory.unblock(key, operator);
    }

    @Override
    public HeldReport heldReport(int maxHeads) {
        return memory.heldReport(maxHeads);
    }

    @Override
    public DeadLetters deadLetters() {
        return memory.deadLetters();
    }

    @Override
    public Pauses pauses() {
        return memory.pauses();
    }

    @Override
    public OutboxStats stats() {
        return memory.stats();
    }

    @Override
    public Maintenance maintenance() {
        return memory.maintenance();
    }

    @Override
    public WakeSignal wakeSignal() {
        return memory.wakeSignal();
    }
}
