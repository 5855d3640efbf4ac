package dev.postrider.cli.demo;

import dev.postrider.Outbox;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.message.MessageId;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.OutboxStore;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Service, relays, broker and subscriber of one demo, wired together. */
final class DemoParts {

    private static final int WRITER_THREADS = 2;
    private static final int BROKER_CAPACITY = 1_000;
    private static final int MAX_DEAD_LETTERS = 1_000;

    private final Ledger ledger = new Ledger();
    private final ArrivalLog arrivals = new ArrivalLog();
    private final MemoryDestination broker = MemoryDestination.named("memory", BROKER_CAPACITY);
    private final FlakyDestination flaky = new FlakyDestination(broker);
    private final OutboxStore store;
    private final Writers writers;
    private final RelayFleet fleet;

    private DemoParts(DemoSettings settings, DemoDatabase database) {
        DataSource connections = database.connections("order-service", WRITER_THREADS + 1);
        store = database.store(connections);
        OrderService service =
                new OrderService(connections, Outbox.withDefaults(store), OrderTable.create(connections), ledger);
        writers = new Writers(service, settings.orders());
        broker.subscribe("demo", arrivals);
        fleet = RelayFleet.start(settings.relays(), lastSend(settings), database, flaky);
    }

    /** Everything but the writers runs when this returns. */
    static DemoParts start(DemoSettings settings, DemoDatabase database) {
        return new DemoParts(settings, database);
    }

    /** About a third of what would be the victim's part: there are two events per order. */
    private static int lastSend(DemoSettings settings) {
        return Math.max(1, 2 * settings.orders() / settings.relays() / 3);
    }

    void startWriting() {
        writers.start(WRITER_THREADS);
    }

    /**
     * Whether everything is written, the outbox is empty and the killed relay is replaced. Kills it now at the latest, if it
     * had too little to do before.
     */
    boolean isFinished() {
        if (!writers.isDone()) {
            return false;
        }
        fleet.kill();
        return fleet.takeOver().took().isPresent() && isEmpty(store.stats());
    }

    private static boolean isEmpty(OutboxStats stats) {
        return stats.undelivered() == 0;
    }

    /** Grows as long as anything moves. */
    long steps() {
        return (long) ledger.eventCount()
                + arrivals.distinctCount()
                + fleet.watch().deadCount();
    }

    /** Stops the relays that live, then the broker, once the subscriber has seen everything. */
    void stop() {
        fleet.close();
        broker.close();
        // Judged last: a service that failed wrote less, and the count would hide it.
        writers.failure().ifPresent(failure -> {
            throw new IllegalStateException("The order service failed", failure);
        });
    }

    Set<MessageId> deadLetters() {
        return store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), MAX_DEAD_LETTERS).stream()
                .map(letter -> letter.ref().id())
                .collect(Collectors.toSet());
    }

    Ledger ledger() {
        return ledger;
    }

    ArrivalLog arrivals() {
        return arrivals;
    }

    Writers writers() {
        return writers;
    }

    RelayFleet fleet() {
        return fleet;
    }

    int failedOnce() {
        return flaky.failedCount();
    }
}
