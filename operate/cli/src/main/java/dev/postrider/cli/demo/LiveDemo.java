package dev.postrider.cli.demo;

import dev.postrider.Outbox;
import dev.postrider.console.Access;
import dev.postrider.console.Console;
import dev.postrider.console.ConsoleServer;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.internal.DaemonThreads;
import dev.postrider.message.OutboxMessage;
import dev.postrider.message.PostriderException;
import dev.postrider.relay.RelayListener;
import dev.postrider.service.console.ConsoleSettings;
import dev.postrider.service.console.Role;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.service.operation.OperatedOutboxes;
import dev.postrider.service.operation.OutboxAddress;
import dev.postrider.store.jdbc.AuditTrail;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The demo for people who watch it in the console: a shop that writes orders for as long as you like, slowly, while keys are held, messages are
 * given up and relays die. Tells what happens as it happens. Everything is embedded and gone afterwards. Thread-safe; close it.
 */
public final class LiveDemo implements AutoCloseable {

    private static final String OUTBOX = "shop";
    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final long ORDER_MILLIS = 250;
    private static final long ACT_SECONDS = 45;

    private final Consumer<String> teller;
    private final DemoDatabase database = new DemoDatabase(1, AuditTrail.PLAIN);
    private final Outbox outbox;
    private final MemoryDestination memory = MemoryDestination.named("broker", 1_000);
    private final MoodyDestination broker = new MoodyDestination(memory);
    private final List<DemoRelay> relays = new ArrayList<>();
    private final ConsoleServer console;
    private final String address;
    private final ScheduledExecutorService script =
            Executors.newScheduledThreadPool(2, new DaemonThreads("postrider-demo"));
    private final AtomicInteger orders = new AtomicInteger();
    private int nextVictim;

    private LiveDemo(int relayCount, Consumer<String> teller) {
        this.teller = teller;
        // Without a subscriber it would count as unreachable.
        memory.subscribe("shop", message -> {});
        this.outbox = Outbox.withDefaults(database.store(database.service()));
        for (int number = 0; number < relayCount; number++) {
            relays.add(relay());
        }
        String token = Access.randomToken();
        ConsoleSettings settings = new ConsoleSettings.Builder().build();
        OutboxAddress shop = new OutboxAddress(
                OUTBOX,
                database.settings(),
                new StoreSettings().audit(AuditTrail.PLAIN).lanes(DemoDatabase.LANES),
                Optional.empty());
        this.console = ConsoleServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                settings,
                Console.of(
                        settings,
                        new OperatedOutboxes(List.of(shop)),
                        Access.token(token, new Access.Grant("you", Role.OPERATE))));
        this.address = "http://127.0.0.1:%d%s/#token=%s".formatted(console.port(), settings.path(), token);
    }

    /**
     * Begins, and goes on until it is closed.
     *
     * @param teller told in a line what happens, on any thread
     */
    public static LiveDemo start(int relayCount, Consumer<String> teller) {
        LiveDemo demo = new LiveDemo(relayCount, teller);
        demo.relays.forEach(DemoRelay::start);
        demo.repeat(0, ORDER_MILLIS, demo::placeOrder);
        demo.repeat(2_000, ACT_SECONDS * 1_000, demo::sendWhatIsRejected);
        demo.repeat(4_000, ACT_SECONDS * 1_000, demo::sendWhatFails);
        demo.repeat(8_000, ACT_SECONDS * 1_000, demo::killARelay);
        return demo;
    }

    /** Of the page, with what lets a browser in. */
    public String address() {
        return address;
    }

    private DemoRelay relay() {
        return new DemoRelay(database, broker, new RelayListener() {}, LEASE);
    }

    private void repeat(long first, long every, Runnable act) {
        var unused = script.scheduleWithFixedDelay(
                () -> {
                    try {
                        act.run();
                    } catch (PostriderException failure) {
                        teller.accept("the demo stumbled: " + failure.getMessage());
                    }
                },
                first,
                every,
                TimeUnit.MILLISECONDS);
    }

    private void placeOrder() {
        String order = "order-" + orders.incrementAndGet();
        write(event(order, "shop.OrderPlaced"), event(order, "shop.OrderPaid"));
    }

    private void sendWhatIsRejected() {
        String order = "order-" + orders.incrementAndGet();
        OutboxMessage rejected = event(order, "shop.InvoiceIssued");
        broker.rejectOnce(rejected.id());
        write(event(order, "shop.OrderPlaced"), rejected);
        teller.accept("the broker rejects an invoice of %s: see Dead letters, and retry it".formatted(order));
    }

    private void sendWhatFails() {
        String order = "order-" + orders.incrementAndGet();
        OutboxMessage failing = event(order, "shop.OrderPaid");
        broker.failAWhile(failing.id());
        write(event(order, "shop.OrderPlaced"), failing, event(order, "shop.OrderShipped"));
        teller.accept("the payment of %1$s fails for a while: see its key, and what waits behind it".formatted(order));
    }

    private void killARelay() {
        int victim = nextVictim++ % relays.size();
        DemoRelay killed = relays.get(victim);
        int lanes = killed.lanes().size();
        killed.kill();
        teller.accept("relay %d of %d is killed: see Lanes, its %d wait until its leases end, then others take them"
                .formatted(victim + 1, relays.size(), lanes));
        DemoRelay next = relay();
        relays.set(victim, next);
        var unused = script.schedule(
                () -> {
                    next.start();
                    teller.accept("relay %d is back and takes its share of the lanes".formatted(victim + 1));
                },
                LEASE.toMillis() * 3,
                TimeUnit.MILLISECONDS);
    }

    private OutboxMessage event(String order, String type) {
        return outbox.message("orders")
                .key(order)
                .type(type)
                .json("{\"order\":\"%s\",\"total\":%d.90}".formatted(order, 10 + order.hashCode() % 90))
                .build();
    }

    private void write(OutboxMessage... messages) {
        outbox.inTransaction(database.service(), tx -> List.of(messages).forEach(tx::enqueue));
    }

    @Override
    public void close() {
        script.shutdownNow();
        console.close();
        relays.forEach(DemoRelay::close);
        memory.close();
        database.close();
    }
}
