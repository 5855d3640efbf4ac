package dev.postrider.testkit;

import dev.postrider.message.Lane;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.HeldMessages.DueRequest;
import dev.postrider.spi.HeldMessages.DueRows;
import dev.postrider.spi.KnownRows;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.spi.LaneScan.Fetched;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RelayStore;
import dev.postrider.spi.RowOutcome;
import dev.postrider.spi.RowRef;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Drives a store in the words of its contract: commit, fetch, hold, deliver. For one thread. */
final class StoreDriver {

    static final KnownRows NOTHING_KNOWN = known(Map.of());
    static final Duration LONG = Duration.ofMinutes(10);
    static final String OWNER = "relay-a";

    /** The destination of messages, unless a test has several. */
    static final String BROKER = "broker";

    private static final int MANY = 10_000;
    private static final long MANY_BYTES = 100L << 20;

    private final StoreFixture fixture;
    private final Map<Integer, Lease> leases = new TreeMap<>();

    StoreDriver(StoreFixture fixture) {
        this.fixture = fixture;
    }

    OutboxStore store() {
        return fixture.store();
    }

    /** What a relay uses that keeps the order of keys. */
    RelayStore relayStore() {
        return relayStore(Ordering.PER_KEY);
    }

    RelayStore relayStore(Ordering ordering) {
        return store().forRelay(ordering);
    }

    StoreFixture fixture() {
        return fixture;
    }

    // Writing

    static OutboxMessage message(String key) {
        return message(key, "orders");
    }

    static OutboxMessage message(String key, String topic) {
        return builder(topic).key(key).payload(bytes("about " + key)).build();
    }

    static OutboxMessage.Builder builder(String topic) {
        return OutboxMessage.builder(topic).type("test.happened");
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The n-th of many keys that fall into this lane. */
    String keyInLane(int lane, int n) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "key-" + i)
                .filter(key -> Lane.forKey(key, store().laneCount()) == lane)
                .skip(n)
                .findFirst()
                .orElseThrow();
    }

    Connection begin() {
        try {
            Connection connection = fixture.dataSource().getConnection();
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException error) {
            throw new IllegalStateException(error);
        }
    }

    void insert(Connection connection, OutboxMessage... messages) {
        store().insert(connection, List.of(messages));
    }

    static void commit(Connection connection) {
        try {
            connection.commit();
            connection.close();
        } catch (SQLException error) {
            throw new IllegalStateException(error);
        }
    }

    static void rollback(Connection connection) {
        try {
            connection.rollback();
            connection.close();
        } catch (SQLException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Inserts and commits; returns what was inserted. */
    List<OutboxMessage> commit(OutboxMessage... messages) {
        Connection connection = begin();
        List<OutboxMessage> inserted = store().insert(connection, List.of(messages));
        commit(connection);
        return inserted;
    }

    /** Commits messages of a key, one transaction each. */
    List<OutboxMessage> commitOfKey(String key, int count) {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            OutboxMessage message = message(key);
            commit(message);
            messages.add(message);
        }
        return messages;
    }

    // Leases

    Lease lease(int lane) {
        return leases.computeIfAbsent(lane, this::takeNow);
    }

    Lease lease(RowRef row) {
        return lease(row.lane());
    }

    private Lease takeNow(int lane) {
        return store().leases().take(lane, OWNER, LONG).orElseThrow().lease();
    }

    // Reading

    Set<Integer> allLanes() {
        return IntStream.range(0, store().laneCount()).boxed().collect(Collectors.toSet());
    }

    LaneScan scan() {
        return scan(allLanes());
    }

    LaneScan scan(Set<Integer> lanes) {
        LaneScan scan = relayStore().openScan();
        lanes.forEach(lane -> scan.add(new TakenLane(new Lease(lane, OWNER, 1), Optional.empty())));
        return scan;
    }

    FetchRequest request() {
        return new FetchRequest(allLanes(), NOTHING_KNOWN, Set.of(), MANY, MANY_BYTES);
    }

    FetchRequest request(KnownRows known, int maxRows) {
        return new FetchRequest(allLanes(), known, Set.of(), maxRows, MANY_BYTES);
    }

    static FetchRequest excluding(FetchRequest request, String... topics) {
        return new FetchRequest(
                request.lanes(), request.known(), Set.of(topics), request.maxRows(), request.maxBytes());
    }

    /** Fetches until nothing more comes, keeping everything as known. */
    List<OutboxRow> drain(LaneScan scan, List<OutboxRow> known, int pageSize) {
        List<OutboxRow> rows = new ArrayList<>(known);
        for (int page = 0; page < MANY; page++) {
            Fetched fetched = scan.fetch(request(known(rows), pageSize));
            if (fetched.rows().isEmpty() && !fetched.more() && !fetched.newIncarnation()) {
                break;
            }
            rows.addAll(fetched.rows());
        }
        return rows.subList(known.size(), rows.size());
    }

    /** Everything in the hot table, by a new scan. */
    List<OutboxRow> hotRows() {
        return drain(scan(), List.of(), MANY);
    }

    OutboxRow hotRow(OutboxMessage message) {
        return hotRows().stream()
                .filter(row -> row.id().equals(message.id()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(message + " is not in the hot table"));
    }

    RowRef ref(OutboxMessage message) {
        return hotRow(message).ref();
    }

    List<MessageId> hotIds() {
        return hotRows().stream().map(OutboxRow::id).toList();
    }

    static List<MessageId> ids(List<? extends OutboxRow> rows) {
        return rows.stream().map(OutboxRow::id).toList();
    }

    static List<MessageId> idsOf(List<OutboxMessage> messages) {
        return messages.stream().map(OutboxMessage::id).toList();
    }

    static KnownRows known(List<? extends OutboxRow> rows) {
        return known(rows.stream()
                .collect(Collectors.groupingBy(
                        OutboxRow::lane, Collectors.mapping(OutboxRow::seq, Collectors.toSet()))));
    }

    private static KnownRows known(Map<Integer, Set<Long>> seqs) {
        return new KnownRows() {
            @Override
            public boolean contains(int lane, long seq) {
                return seqs.getOrDefault(lane, Set.of()).contains(seq);
            }

            @Override
            public long[] seqs(int lane) {
                return seqs.getOrDefault(lane, Set.of()).stream()
                        .mapToLong(Long::longValue)
                        .toArray();
            }
        };
    }

    // Settling

    void apply(RowOutcome... outcomes) {
        apply(Ordering.PER_KEY, outcomes);
    }

    /** Applies outcomes, lane by lane, with leases taken as needed. */
    void apply(Ordering ordering, RowOutcome... outcomes) {
        Arrays.stream(outcomes)
                .collect(Collectors.groupingBy(outcome -> outcome.row().lane()))
                .forEach((lane, ofLane) -> relayStore(ordering).settle(lease(lane), ofLane));
    }

    /** Holds a message of the hot table, due after the delay. */
    RowRef hold(OutboxMessage message, Duration delay) {
        return hold(message, BROKER, delay);
    }

    RowRef hold(OutboxMessage message, String destination, Duration delay) {
        RowRef ref = ref(message);
        apply(RowOutcome.hot(ref, new RowOutcome.RetryLater(destination, 1, "failed", delay)));
        return ref;
    }

    RowRef holdBehind(OutboxMessage message) {
        return holdBehind(message, BROKER);
    }

    RowRef holdBehind(OutboxMessage message, String destination) {
        RowRef ref = ref(message);
        apply(RowOutcome.hot(ref, new RowOutcome.Behind(destination)));
        return ref;
    }

    /** Makes the lane's held rows consistent, as a relay with these destinations does that has just taken the lane. */
    void repair(int lane, Ordering ordering, String... destinations) {
        relayStore(ordering).held().repair(lease(lane), Set.of(destinations));
    }

    /** Holds everything of the lane that has no destination for this one. */
    void assignAll(int lane, Ordering ordering, String destination) {
        relayStore(ordering)
                .held()
                .assign(
                        lease(lane),
                        relayStore().held().unassigned(lane, MANY, MANY_BYTES).stream()
                                .collect(Collectors.toMap(OutboxRow::ref, row -> destination)));
    }

    /** Puts a message of the hot table to the dead letters. */
    RowRef bury(OutboxMessage message) {
        RowRef ref = ref(message);
        apply(RowOutcome.hot(ref, new RowOutcome.Dead(DeadReason.REJECTED, 1, "refused")));
        return ref;
    }

    // Held

    DueRequest dueRequest(int followers) {
        return new DueRequest(allLanes(), NOTHING_KNOWN, MANY, MANY_BYTES, followers);
    }

    DueRows fetchDue(Ordering ordering, int followers) {
        return relayStore(ordering).held().fetchDue(dueRequest(followers));
    }

    /** The ids of what is due, without followers. */
    List<MessageId> dueIds() {
        return ids(fetchDue(Ordering.PER_KEY, 0).rows());
    }

    /** The ids of what is due and what follows it. */
    List<MessageId> dueIdsWithFollowers() {
        return ids(fetchDue(Ordering.PER_KEY, 100).rows());
    }

    // Dead letters

    List<DeadLetter> deadLetters() {
        return store().deadLetters().list(DeadLetterFilter.all(), Optional.empty(), MANY);
    }

    DeadLetter deadLetter(OutboxMessage message) {
        return store().deadLetters()
                .find(message.id())
                .orElseThrow(() -> new AssertionError(message + " is not among the dead letters"));
    }

    List<MessageId> deadIds() {
        return deadLetters().stream().map(letter -> letter.ref().id()).toList();
    }
}
