package dev.postrider.prove.run;

import dev.postrider.Outbox;
import dev.postrider.prove.Pause;
import dev.postrider.prove.ProofException;
import dev.postrider.prove.broker.ProofBroker;
import dev.postrider.prove.check.Committed;
import dev.postrider.prove.check.Evidence;
import dev.postrider.prove.check.Verdict;
import dev.postrider.prove.server.ProofSite;
import dev.postrider.prove.write.KeyChoice;
import dev.postrider.prove.write.Ledger;
import dev.postrider.prove.write.LedgerEntry;
import dev.postrider.prove.write.OutboxWithLedger;
import dev.postrider.prove.write.WriterPlan;
import dev.postrider.prove.write.Writers;
import dev.postrider.service.database.OutboxDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One proof, from empty tables to a verdict.
 *
 * <p>Guarantees: it uses tables and a topic of its own, named by {@link ProofSettings#name()}, and removes them afterwards
 * unless told otherwise; it stops no server but those that were started for it. Run it once. Not thread-safe.
 */
public final class Proof {

    private static final Logger LOG = LoggerFactory.getLogger(Proof.class);

    private static final int WRITERS = 6;

    /** Six writers at this pace start 150 transactions in a second. */
    private static final Duration PACE = Duration.ofMillis(40);

    private static final int BUSY_KEYS = 4;

    private static final List<String> KEYS =
            IntStream.range(0, 40).mapToObj(number -> "key-" + number).toList();

    private final ProofSettings settings;
    private final ProofSite site;
    private final ProofListener listener;
    private final Path directory;
    private final List<String> relayCommand;
    private final ProofBroker broker;
    private final Ledger ledger;
    private final ProofTables tables;
    private final ProofOutbox outbox;
    private final History history = new History();

    /**
     * Prepares one; asks no server yet.
     *
     * @param relayCommand starts a standalone relay; the path of its configuration file is added
     * @param directory where relays log and a failed proof leaves its history; must exist
     */
    public Proof(
            ProofSettings settings, ProofSite site, List<String> relayCommand, Path directory, ProofListener listener) {
        settings.faults().stream()
                .sorted()
                .flatMap(fault -> site.refusal(fault).stream())
                .findFirst()
                .ifPresent(reason -> {
                    throw new ProofException(reason);
                });
        this.settings = settings;
        this.site = site;
        this.relayCommand = List.copyOf(relayCommand);
        this.directory = directory;
        this.listener = listener;
        this.broker = ProofBroker.at(site.brokerUri(), settings.name());
        this.ledger = new Ledger(settings.name());
        this.tables = new ProofTables(settings.name());
        this.outbox = ProofOutbox.of(settings);
    }

    /** Writes, strikes, waits until all is delivered or nothing moves any more, and compares. */
    public ProofResult run() {
        try (OutboxDatabase database = OutboxDatabase.openOrCreate(site.database())) {
            // Outside: tables that somebody else has made are not to be removed.
            createTables(database);
            try {
                broker.prepare();
                return prove(database);
            } finally {
                if (!settings.keep()) {
                    remove(database);
                }
            }
        }
    }

    private void createTables(OutboxDatabase database) {
        say(0, "preparing", 0, "");
        outbox.create(database);
        with(database, connection -> {
            ledger.create(connection);
            ledger.addKeys(connection, KEYS);
            return KEYS;
        });
    }

    private ProofResult prove(OutboxDatabase database) {
        long transactions;
        try (RelayProcesses relays = new RelayProcesses(settings, site, broker, relayCommand, directory)) {
            transactions = write(database, relays);
            drain(database, relays, transactions);
        }
        say(0.95, "reading the broker", transactions, "");
        Evidence evidence = new Evidence(committed(database), broker.readAll(), with(database, outbox::undelivered));
        return result(outbox.keepsOrder() ? evidence : evidence.withoutOrder(), transactions);
    }

    private List<Committed> committed(OutboxDatabase database) {
        return with(database, ledger::entries).stream()
                .map(LedgerEntry::toCommitted)
                .toList();
    }

    private long write(OutboxDatabase database, RelayProcesses relays) {
        WriterPlan writing = new WriterPlan(
                WRITERS, KeyChoice.upToThreeOf(KEYS, BUSY_KEYS), List.of(settings.name()), PACE, outbox.form());
        AtomicLong commits = new AtomicLong();
        try (Writers writers = Writers.start(
                new OutboxWithLedger(database.dataSource(), Outbox.withDefaults(outbox.open(database)), ledger),
                writing,
                number -> new Random(settings.seed() * WRITERS + number),
                entries -> commits.incrementAndGet())) {
            FaultPlan plan = new FaultPlan(settings.faults(), settings.seed());
            FaultInjector injector = new FaultInjector(site, relays.relays(), relays.brokerLink());
            long started = System.nanoTime();
            String news = "";
            while (System.nanoTime() - started < settings.time().toNanos()) {
                say(0.8 * (System.nanoTime() - started) / settings.time().toNanos(), "writing", commits.get(), news);
                news = plan.isEmpty() ? idle() : strike(plan.next(), injector);
                relays.restartEnded();
            }
            writers.stop();
            return commits.get();
        }
    }

    private static String idle() {
        Pause.of(Drain.INTERVAL);
        return "";
    }

    private String strike(FaultPlan.Step step, FaultInjector injector) {
        Pause.of(step.pause());
        String done = injector.strike(step);
        history.fault(done);
        return done;
    }

    /** No more faults: now everything must come through. */
    private void drain(OutboxDatabase database, RelayProcesses relays, long transactions) {
        Drain drain = new Drain(() -> with(database, outbox::undelivered).size(), settings.patience());
        while (!drain.isOver()) {
            relays.restartEnded();
            say(0.9, "waiting for %d messages".formatted(drain.left()), transactions, "");
            Pause.of(Drain.INTERVAL);
        }
    }

    private ProofResult result(Evidence evidence, long transactions) {
        Verdict verdict = Verdict.of(evidence);
        Optional<Path> file = Optional.empty();
        if (!verdict.holds()) {
            file = Optional.of(directory.resolve("history-%d.jsonl".formatted(settings.seed())));
            history.write(file.get(), evidence);
        }
        return new ProofResult(verdict, transactions, history.faults(), file);
    }

    /** What cannot be removed is told, and takes nothing away from the verdict. */
    private void remove(OutboxDatabase database) {
        tryTo(broker::remove);
        tryTo(() -> with(database, connection -> {
            tables.drop(connection);
            return connection;
        }));
    }

    private void tryTo(Runnable removal) {
        try {
            removal.run();
        } catch (ProofException failed) {
            LOG.warn("Please remove by hand what begins with {}: {}", settings.name(), failed.getMessage());
        }
    }

    private interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    private static <T> T with(OutboxDatabase database, Work<T> work) {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(true);
            return work.on(connection);
        } catch (SQLException failed) {
            throw new ProofException("The database failed the proof: " + failed.getMessage(), failed);
        }
    }

    private void say(double done, String phase, long transactions, String news) {
        listener.progress(done, phase, transactions, history.faults(), news);
    }

    /** Waits until nothing is left, or until what is left has not become less for long. Not thread-safe. */
    private static final class Drain {

        static final Duration INTERVAL = Duration.ofMillis(250);

        private final IntSupplier undelivered;
        private final Duration patience;
        private int left = Integer.MAX_VALUE;
        private long lastProgress = System.nanoTime();

        Drain(IntSupplier undelivered, Duration patience) {
            this.undelivered = undelivered;
            this.patience = patience;
        }

        boolean isOver() {
            int now = undelivered.getAsInt();
            if (now < left) {
                lastProgress = System.nanoTime();
            }
            left = now;
            return left == 0 || System.nanoTime() - lastProgress > patience.toNanos();
        }

        int left() {
            return left;
        }
    }
}
