package dev.postrider.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.prove.check.Verdict;
import dev.postrider.prove.write.LedgerEntry;
import dev.postrider.prove.write.WriterPlan;
import dev.postrider.prove.write.Writers;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.DatabaseServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** One test's outbox in a database of its own, with a broker, writers, and relays in processes of their own. */
final class Scene implements AutoCloseable {

    static final String TOPIC = "orders";
    static final String HEAP = "128m";

    private final Database database;
    private final OutboxStore store;
    private final Books books;
    private final RecordingBroker broker = new RecordingBroker();
    private final List<RecordingBroker> otherBrokers = new ArrayList<>();
    private final List<RelayProcess> relays = new ArrayList<>();
    private final List<Writers> writers = new ArrayList<>();
    private final Set<String> everDead = new HashSet<>();

    private Scene(Database database) {
        this.database = database;
        this.store = Stores.open(database.jdbcUrl(), database.dataSource(), SchemaMode.CREATE);
        this.books = Books.open(database.dataSource());
    }

    static Scene on(DatabaseServer server) {
        return new Scene(server.createDatabase("faults"));
    }

    Database database() {
        return database;
    }

    OutboxStore store() {
        return store;
    }

    Outbox outbox() {
        return Outbox.withDefaults(store);
    }

    OutboxTables tables() {
        return new OutboxTables(store, database.dataSource());
    }

    RecordingBroker broker() {
        return broker;
    }

    /** One more broker, whose deliveries count as well. */
    RecordingBroker startBroker() {
        RecordingBroker started = new RecordingBroker();
        otherBrokers.add(started);
        return started;
    }

    /** Settings of a relay from this outbox to this broker. */
    RelaySettings settings(String name) {
        return RelaySettings.of(database.jdbcUrl(), database.user(), database.password())
                .name(name)
                .destination(TOPIC, broker.port());
    }

    RelayProcess startRelay(String name) {
        return startRelay(settings(name));
    }

    RelayProcess startRelay(RelaySettings settings) {
        return startRelay(settings, HEAP, Map.of());
    }

    RelayProcess startRelay(RelaySettings settings, String heap, Map<String, String> environment) {
        RelayProcess relay = new RelayProcess(settings, heap, environment);
        relays.add(relay);
        return relay;
    }

    Writers startWriters(WriterPlan plan) {
        return startWriters(plan, database.dataSource());
    }

    /** Starts writers that reach the database another way. */
    Writers startWriters(WriterPlan plan, DataSource way) {
        Writers started = books.start(way, outbox(), plan);
        writers.add(started);
        return started;
    }

    /** Enqueues one message in a transaction of its own. */
    LedgerEntry enqueue(String key, long n) {
        return enqueue(TOPIC, 1, List.of(key), n).get(0);
    }

    /** Enqueues messages of these keys with this count, all in one transaction. */
    List<LedgerEntry> enqueue(String topic, int payloadBytes, List<String> keys, long n) {
        return enqueue(
                keys.stream()
                        .map(key -> message(topic, payloadBytes, key, n).build())
                        .toList(),
                n);
    }

    /** Enqueues a message for each of these keys that is due after the delay. */
    void enqueueDelayed(List<String> keys, Duration delay) {
        enqueue(
                keys.stream()
                        .map(key ->
                                message(TOPIC, 1, key, 1).deliverAfter(delay).build())
                        .toList(),
                1);
    }

    private OutboxMessage.Builder message(String topic, int payloadBytes, String key, long n) {
        return outbox().message(topic).key(key).type("Counted").payload(Wire.payload(n, payloadBytes));
    }

    private List<LedgerEntry> enqueue(List<OutboxMessage> messages, long n) {
        List<LedgerEntry> sent = messages.stream()
                .map(message -> new LedgerEntry(
                        message.id().toString(), message.topic(), message.key().orElseThrow(), n))
                .toList();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            outbox().enqueue(connection, messages);
            Books.record(connection, sent);
            connection.commit();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        return sent;
    }

    /** Enqueues many messages, evenly over {@code keys} new keys, with the counts of each key in order. Returns the keys. */
    Set<String> enqueueMany(String topic, int payloadBytes, int messages, int keys) {
        List<String> names = IntStream.range(0, keys).mapToObj(i -> "many-" + i).toList();
        for (int n = 1; n <= messages / keys; n++) {
            enqueue(topic, payloadBytes, names, n);
        }
        return Set.copyOf(names);
    }

    /** Waits until this many messages have arrived. */
    void awaitArrivals(int count) {
        Eventually.holds(count + " messages have arrived", () -> broker.count() >= count);
    }

    /** Waits until enough more have arrived that something happened in every lane. */
    void awaitTraffic() {
        awaitArrivals(broker.count() + 200);
    }

    /** Waits until each of these relays owns lanes, and nobody else does. Says how long that took. */
    Duration awaitAllLanesOwnedBy(RelayProcess... owners) {
        Set<String> ids = Stream.of(owners).map(RelayProcess::id).collect(Collectors.toSet());
        return Eventually.holds("all lanes are owned by " + List.of(owners), () -> {
            Map<String, Integer> lanes = tables().lanesByOwner();
            int owned = lanes.values().stream().mapToInt(Integer::intValue).sum();
            return owned == store.laneCount() && ids.equals(lanes.keySet());
        });
    }

    /** Waits until this many relays own equally many lanes each. */
    void awaitEqualShares(int relays) {
        Eventually.holds(relays + " relays share the lanes equally", () -> {
            Collection<Integer> shares = tables().lanesByOwner().values();
            return shares.size() == relays && shares.stream().allMatch(share -> share == store.laneCount() / relays);
        });
    }

    /** Waits until nothing waits any more. */
    Scene awaitDrained() {
        Eventually.holds("the outbox is drained", () -> tables().isDrained());
        return this;
    }

    /** Remembers the dead letters of this moment, whose order is not promised once an operator retries them. */
    Set<String> noteDead() {
        Set<String> dead = tables().deadIds();
        everDead.addAll(dead);
        return dead;
    }

    private Comparison comparison() {
        noteDead();
        List<Delivery> deliveries = new ArrayList<>(broker.deliveries());
        otherBrokers.forEach(other -> deliveries.addAll(other.deliveries()));
        return new Comparison(books.committed(), deliveries, tables().deadIds(), everDead);
    }

    /** Everything is well but for duplicates. Returns those. */
    List<Delivery> requireExact() {
        Comparison compared = comparison();
        Verdict verdict = compared.verdict();
        assertThat(verdict.lost()).as("lost").isEmpty();
        assertThat(verdict.phantoms()).as("never committed").isEmpty();
        assertThat(verdict.outOfOrder()).as("out of order").isEmpty();
        assertThat(tables().waitingKeys()).as("stuck keys").isEmpty();
        assertThat(books.confirmedAndGone()).as("lost by the database").isEmpty();
        requireNoOwnFaults();
        return compared.duplicates();
    }

    private void requireNoOwnFaults() {
        List<String> faults = new ArrayList<>();
        relays.forEach(relay -> faults.addAll(relay.ownFaults()));
        assertThat(faults).as("faults that relays found in themselves").isEmpty();
    }

    @Override
    public void close() {
        writers.forEach(Writers::close);
        relays.forEach(RelayProcess::close);
        broker.close();
        otherBrokers.forEach(RecordingBroker::close);
    }
}
