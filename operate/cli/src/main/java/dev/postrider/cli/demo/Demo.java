package dev.postrider.cli.demo;

import static dev.postrider.internal.Readable.grouped;
import static java.util.Objects.requireNonNull;

import dev.postrider.Outbox;
import dev.postrider.cli.output.Progress;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.message.OutboxMessage;
import dev.postrider.prove.broker.Content;
import dev.postrider.prove.check.Arrival;
import dev.postrider.prove.check.Evidence;
import dev.postrider.prove.write.Ledger;
import dev.postrider.prove.write.LedgerEntry;
import dev.postrider.prove.write.MessageForm;
import dev.postrider.prove.write.OutboxWithLedger;
import dev.postrider.prove.write.WriterPlan;
import dev.postrider.prove.write.Writers;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.AuditTrail;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Runs the demo: writers place orders, relays deliver, one of them is killed, and what was committed is compared with what arrived.
 *
 * <p>Everything is embedded and gone afterwards.
 */
public final class Demo {

    private static final int WRITERS = 3;
    private static final int BROKER_CAPACITY = 1_000;
    private static final int MAX_DEAD_LETTERS = 1_000;
    private static final long TICK_MILLIS = 20;
    private static final Duration START_LIMIT = Duration.ofSeconds(10);

    /** After this time without any progress, what is missing counts as lost. */
    private static final Duration STUCK_AFTER = Duration.ofSeconds(30);

    private final DemoSettings settings;
    private final Progress progress;
    private final Orders orders;
    private final Arrivals arrivals = new Arrivals();
    private final MemoryDestination broker = MemoryDestination.named("memory", BROKER_CAPACITY);
    private final FaultyDestination destination;
    private long shownAt = System.nanoTime();

    public Demo(DemoSettings settings, Progress progress) {
        this.settings = settings;
        this.progress = progress;
        this.orders = new Orders(settings.orders());
        this.destination = new FaultyDestination(broker, orders.all().get(settings.orders() / 2));
    }

    /** Takes some seconds. */
    public DemoResult run() throws InterruptedException, SQLException {
        long start = System.nanoTime();
        broker.subscribe("demo", arrivals);
        try (DemoDatabase database = new DemoDatabase(WRITERS, AuditTrail.NONE)) {
            OutboxStore store = database.store(database.service());
            Ledger ledger = database.createLedger(orders.all());
            DemoRelays relays = new DemoRelays(settings.relays(), lastSend(), database, destination);
            try (relays) {
                // Until every relay has work, so that the kill hits one that works.
                await(() -> relays.areLanesShared(DemoDatabase.LANES), () -> 0, START_LIMIT);
                write(new OutboxWithLedger(database.service(), Outbox.withDefaults(store), ledger), relays);
                // At the latest now, if the victim had too little to do before.
                relays.kill();
                awaitShown(() -> relays.takeOver().isPresent() && store.stats().undelivered() == 0, relays);
            }
            broker.close();
            show(relays);
            return new DemoTable(this, relays, evidence(database, ledger), dead(store))
                    .result(Duration.ofNanos(System.nanoTime() - start));
        }
    }

    /** About a third of what would be the victim's part: there are four events for each order. */
    private int lastSend() {
        return Math.max(1, 4 * settings.orders() / settings.relays() / 3);
    }

    private void write(OutboxWithLedger target, DemoRelays relays) throws InterruptedException {
        WriterPlan plan =
                new WriterPlan(WRITERS, orders, List.of("orders"), Duration.ZERO, MessageForm.of(Content::payload));
        try (Writers writers = Writers.start(target, plan, Random::new, orders)) {
            awaitShown(orders::areAllPlaced, relays);
            writers.stop();
        }
    }

    private void awaitShown(BooleanSupplier isReached, DemoRelays relays) throws InterruptedException {
        BooleanSupplier shown = () -> {
            if (System.nanoTime() - shownAt >= progress.interval().toNanos()) {
                show(relays);
            }
            return isReached.getAsBoolean();
        };
        await(shown, () -> (long) orders.events() + arrivals.distinct() + relays.deadLetters(), STUCK_AFTER);
    }

    /** Until it is reached, or until a number has not changed for too long. */
    private static void await(BooleanSupplier isReached, LongSupplier number, Duration limit)
            throws InterruptedException {
        long value = number.getAsLong();
        long changedAt = System.nanoTime();
        while (!isReached.getAsBoolean() && System.nanoTime() - changedAt < limit.toNanos()) {
            Thread.sleep(TICK_MILLIS);
            if (number.getAsLong() != value) {
                value = number.getAsLong();
                changedAt = System.nanoTime();
            }
        }
    }

    private void show(DemoRelays relays) {
        shownAt = System.nanoTime();
        int placed = orders.placed();
        int committed = orders.events();
        int delivered = arrivals.distinct();
        double ended = delivered + relays.deadLetters();
        progress.show(
                ended / Math.max(1, committed) * placed / settings.orders(),
                List.of(
                        "orders " + grouped(placed) + " of " + grouped(settings.orders()),
                        "events " + grouped(committed) + " committed, " + grouped(delivered) + " delivered",
                        "relays " + relays));
    }

    private Evidence evidence(DemoDatabase database, Ledger ledger) throws SQLException {
        try (Connection connection = database.service().getConnection()) {
            return new Evidence(
                    ledger.entries(connection).stream()
                            .map(LedgerEntry::toCommitted)
                            .toList(),
                    arrivals.all(),
                    Set.of());
        }
    }

    private static Set<String> dead(OutboxStore store) {
        return store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), MAX_DEAD_LETTERS).stream()
                .map(letter -> letter.ref().id().toString())
                .collect(Collectors.toSet());
    }

    Orders orders() {
        return orders;
    }

    int failedOnce() {
        return destination.failedOnce();
    }

    /** From commit to first arrival, in nanoseconds. */
    long[] delays() {
        return arrivals.delays(orders.commitTimes());
    }

    /** A subscriber that writes down everything it sees. Thread-safe. */
    private static final class Arrivals implements Consumer<OutboxMessage> {

        private final List<Arrival> all = new ArrayList<>();
        private final Map<String, Long> firstTimes = new LinkedHashMap<>();

        @Override
        public synchronized void accept(OutboxMessage message) {
            Arrival arrival = Content.arrival(message.id().toString(), message.payload());
            all.add(arrival);
            firstTimes.putIfAbsent(arrival.id(), System.nanoTime());
        }

        synchronized List<Arrival> all() {
            return List.copyOf(all);
        }

        /** How many different messages have arrived. */
        synchronized int distinct() {
            return firstTimes.size();
        }

        /** From commit to first arrival, in nanoseconds. */
        synchronized long[] delays(Map<String, Long> commitTimes) {
            return firstTimes.entrySet().stream()
                    .filter(arrival -> commitTimes.containsKey(arrival.getKey()))
                    .mapToLong(arrival ->
                            Math.max(0, arrival.getValue() - requireNonNull(commitTimes.get(arrival.getKey()))))
                    .toArray();
        }
    }
}
