package dev.postrider.console;

import dev.postrider.Outbox;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.OnExhausted;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RoutingTable;
import dev.postrider.service.ServiceConfig;
import dev.postrider.service.console.ConsoleSettings;
import dev.postrider.service.console.Role;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.ExistingSettings;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.service.operation.OperatedOutboxes;
import dev.postrider.service.operation.OutboxAddress;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryFailedException;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.AuditTrail;
import dev.postrider.store.jdbc.SchemaMode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** An outbox with a relay whose broker rejects some topics and fails for others, and a console over it. */
final class Scene implements AutoCloseable {

    static final String OPERATOR = "token-of-ann-who-operates";
    static final String READER = "token-of-bob-who-reads-payloads";
    static final String VIEWER = "token-of-eve-who-sees-metadata";

    /** Whose topic this is; all others go to kafka-main. */
    static final String ARCHIVED = "rejected.archive";

    /** Whose messages are rejected at first, and delivered if they are retried. */
    static final String REJECTED_ONCE = "rejected.once";

    /** A name of this machine that is not localhost, so that browsers do not trust it over plain HTTP. */
    static final String PLAIN_HOST = "plain.test";

    final DatabaseSettings database;
    final StoreSettings tables = new StoreSettings().audit(AuditTrail.PLAIN).lanes(4);
    final OutboxDatabase opened;
    final OutboxStore store;
    private final Set<MessageId> rejectedOnce = ConcurrentHashMap.newKeySet();
    private final Path descriptorSet;
    private final Relay relay;
    private final Path tokens;
    private final Path file;
    private CountingSource counting;
    private Console shown;
    private ConsoleServer server;

    Scene(DatabaseSettings database, Path directory) throws IOException {
        this.database = database;
        this.opened = OutboxDatabase.openOrCreate(database);
        this.store = opened.tables(tables).open(SchemaMode.CREATE);
        this.relay = relay(OnExhausted.DEAD_LETTER);
        this.descriptorSet = Protobuf.descriptorSet(directory);
        this.tokens = directory.resolve("tokens");
        operatorHas(OPERATOR);
        this.file = Files.writeString(
                directory.resolve("postrider.yaml"),
                """
                console: {}
                destinations:
                  archive:
                    type: log
                  kafka-main:
                    type: log
                outboxes:
                  orders:
                    routes:
                      - topic: %s
                        destination: archive
                    destination: kafka-main
                    database:
                      url: "%s"
                      user: "%s"
                """.formatted(ARCHIVED, database.url(), database.user().orElse(""))
                        + database.password()
                                .map(secret -> "      password: \"" + secret.reveal() + "\"\n")
                                .orElse(""));
        start(0);
    }

    /** From the next start of the console on. */
    void operatorHas(String token) throws IOException {
        Files.writeString(tokens, """
            # who may do what
            ann operate %s
            bob payloads %s
            eve metadata %s
            """.formatted(token, READER, VIEWER));
    }

    private Relay relay(OnExhausted onExhausted) {
        RoutingTable routes = RoutingTable.byTopic()
                .route(ARCHIVED, Destination.blocking("archive", this::send))
                .otherwise(Destination.blocking("kafka-main", this::send));
        return Relay.builder(store, routes)
                .onExhausted(onExhausted)
                .maxAttempts(5)
                .backoff(Backoff.constant(Duration.ofHours(1)))
                .build();
    }

    private void send(OutboxMessage message) {
        boolean isMended = message.topic().equals(REJECTED_ONCE) && !rejectedOnce.add(message.id());
        if (message.topic().startsWith("rejected") && !isMended) {
            throw new DeliveryFailedException(DeliveryResult.reject(
                    "schema refused: " + message.headers().get("why").orElse("field 'total' is missing")));
        }
        if (message.topic().startsWith("down")) {
            throw new DeliveryFailedException(DeliveryResult.outage(
                    "no route to the broker " + message.headers().get("why").orElse("")));
        }
        if (message.topic().startsWith("failing")) {
            throw new DeliveryFailedException(DeliveryResult.retry(
                    "billing answered 500 " + message.headers().get("why").orElse("")));
        }
    }

    ConsoleSettings.Builder settings() {
        return new ConsoleSettings.Builder()
                .tokenFile(tokens.toString())
                .hosts(PLAIN_HOST)
                .maskHeaders("authorization")
                .descriptorSet(descriptorSet.toString())
                .traceLink("https://traces.example/{trace}");
    }

    OutboxAddress address() {
        return OutboxAddress.of(ServiceConfig.load(file, Map.of()).outbox("orders"));
    }

    Console console(ConsoleSettings settings) {
        return Console.of(settings, new OperatedOutboxes(List.of(address())));
    }

    /** Begins to answer, at the same port as before if one is given. */
    void start(int port) {
        ConsoleSettings settings = settings().build();
        counting = new CountingSource(address());
        shown = Console.of(settings, new OperatedOutboxes(List.of(counting)));
        server = ConsoleServer.start(new InetSocketAddress("127.0.0.1", port), settings, shown);
    }

    /** Another console, of this outbox and of more, that lets everybody on this machine do everything. */
    ConsoleServer openToThisMachine(OutboxAddress... more) {
        List<OutboxAddress> outboxes = new ArrayList<>(List.of(more));
        outboxes.add(address());
        ConsoleSettings settings = new ConsoleSettings.Builder().build();
        return ConsoleServer.start(
                new InetSocketAddress("127.0.0.1", 0),
                settings,
                Console.of(settings, new OperatedOutboxes(outboxes), Access.loopback(Role.OPERATE)));
    }

    /** A second outbox in the same database, without a relay. */
    OutboxAddress second(String prefix) {
        StoreSettings tablesOfIt = new StoreSettings().prefix(prefix).lanes(2);
        opened.tables(tablesOfIt).open(SchemaMode.CREATE);
        return new OutboxAddress(prefix, database, tablesOfIt, Optional.empty());
    }

    /** A third outbox there, whose table another library has made. In PostgreSQL. */
    OutboxAddress existing() throws SQLException {
        try (Connection connection = opened.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE event_outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(),"
                    + " event_id text UNIQUE, event_type text, aggregate_id text, payload jsonb,"
                    + " metadata jsonb DEFAULT '{}', created_at timestamptz DEFAULT now(), published_at timestamptz,"
                    + " retry_count int DEFAULT 0, last_error text, last_retry_at timestamptz)");
            statement.execute("INSERT INTO event_outbox (event_id, event_type, aggregate_id, payload)"
                    + " SELECT 'e' || n, 'T', 'k', '{}' FROM generate_series(1, 37) n");
        }
        StoreSettings ofOthers =
                new StoreSettings().existing(ExistingSettings.ofPreset("event-outbox", Optional.empty()));
        return new OutboxAddress("legacy", database, ofOthers, Optional.empty());
    }

    /** Copies dead letters until there are more than so many. */
    void multiplyDeadLetters(int most) throws SQLException {
        String id =
                Shop.isOn("mysql") ? "UUID_TO_BIN(UUID())" : Shop.isOn("h2") ? "RANDOM_UUID()" : "gen_random_uuid()";
        String dead = Shop.isOn("h2") ? "\"outbox_dead\"" : "outbox_dead";
        String same = "topic, message_key, type, content_type, payload, created_at, reason, attempts, died_at,"
                + " retry_requested";
        try (Connection connection = opened.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            long shift = 1L << 40;
            while (store.deadLetters().count(DeadLetterFilter.all(), most + 1) <= most) {
                statement.execute("INSERT INTO %4$s (lane, seq, id, %1$s) SELECT lane, seq + %2$d, %3$s, %1$s FROM %4$s"
                        .formatted(same, shift, id, dead));
                shift += shift;
            }
        }
    }

    /** What the console remembers of the outbox for an interval; a change makes it look again, and so does its dry run. */
    void forgetStatus() {
        forgetStatus(shown);
    }

    static void forgetStatus(Console console) {
        Map<String, String> headers =
                Map.of("host", "localhost", "sec-fetch-site", "same-origin", "postrider-console", "1");
        String pause = "/api/outboxes/orders/destinations/kafka-main/pause";
        console.handle(
                new ConsoleRequest("POST", pause, "", headers, true, "{\"dry_run\":true}"),
                new Access.Grant("test", Role.OPERATE));
    }

    /** How often the console of this scene has read the statistics. */
    long statistics() {
        return counting.statistics();
    }

    /** Asks for the overview as a program would, and tells how often the statistics were read. */
    long readOverview() {
        shown.handle(
                new ConsoleRequest("GET", "/api/overview", "", Map.of("host", "localhost"), true, ""),
                new Access.Grant("test", Role.METADATA));
        return statistics();
    }

    long invoices() {
        return dead("rejected.invoices");
    }

    /** How many dead letters of this topic there are. */
    long dead(String topic) {
        return store.deadLetters().count(DeadLetterFilter.all().withTopic(topic), 100);
    }

    void startRelay() {
        relay.start();
    }

    void stopConsole() {
        server.close();
    }

    /** How many browsers follow. */
    int streams() {
        return server.streams();
    }

    int port() {
        return server.port();
    }

    String address(String hash) {
        return addressAt("127.0.0.1", hash);
    }

    String addressAt(String host, String hash) {
        return "http://" + host + ":" + server.port() + "/console/" + hash;
    }

    void write(OutboxMessage... messages) {
        Outbox.withDefaults(store).inTransaction(opened.dataSource(), tx -> {
            for (OutboxMessage message : messages) {
                tx.enqueue(message);
            }
        });
    }

    void relayOnce() {
        relay.drainOnce();
    }

    /** What fails for good blocks its key. */
    void relayOnceBlocking() {
        relay(OnExhausted.BLOCK_KEY).drainOnce();
    }

    @Override
    public void close() {
        server.close();
        relay.close();
        opened.close();
    }
}
