package dev.postrider.console;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.OnExhausted;
import dev.postrider.relay.Relay;
import dev.postrider.service.ServiceConfig;
import dev.postrider.service.console.ConsoleSettings;
import dev.postrider.service.console.Role;
import dev.postrider.service.database.DatabaseSettings;
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
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** An outbox with a relay whose broker rejects some topics and fails for others, and a console over it. */
final class Scene implements AutoCloseable {

    static final String OPERATOR = "token-of-ann-who-operates";
    static final String READER = "token-of-bob-who-reads-payloads";
    static final String VIEWER = "token-of-eve-who-sees-metadata";

    final DatabaseSettings database;
    final StoreSettings tables = new StoreSettings().audit(AuditTrail.PLAIN).lanes(4);
    final OutboxDatabase opened;
    final OutboxStore store;
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
        this.tokens = Files.writeString(directory.resolve("tokens"), """
            # who may do what
            ann operate %s
            bob payloads %s
            eve metadata %s
            """.formatted(OPERATOR, READER, VIEWER));
        this.file = Files.writeString(
                directory.resolve("postrider.yaml"),
                """
                console: {}
                destinations:
                  kafka-main:
                    type: log
                outboxes:
                  orders:
                    database:
                      url: "%s"
                      user: "%s"
                """.formatted(database.url(), database.user().orElse(""))
                        + database.password()
                                .map(secret -> "      password: \"" + secret.reveal() + "\"\n")
                                .orElse(""));
        start(0);
    }

    private Relay relay(OnExhausted onExhausted) {
        return Relay.builder(store, Destination.blocking("kafka-main", Scene::send))
                .onExhausted(onExhausted)
                .maxAttempts(5)
                .backoff(Backoff.constant(Duration.ofHours(1)))
                .build();
    }

    private static void send(OutboxMessage message) {
        if (message.topic().startsWith("rejected")) {
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
                .maskHeaders("authorization")
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

    /** Another console that lets everybody on this machine do everything. */
    ConsoleServer openToThisMachine() {
        ConsoleSettings settings = new ConsoleSettings.Builder().build();
        return ConsoleServer.start(
                new InetSocketAddress("127.0.0.1", 0),
                settings,
                Console.of(settings, new OperatedOutboxes(List.of(address())), Access.loopback(Role.OPERATE)));
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
        return store.deadLetters().count(DeadLetterFilter.all().withTopic("rejected.invoices"), 100);
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
        return "http://127.0.0.1:" + server.port() + "/console/" + hash;
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
