package dev.postrider.store.existing;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testservers.Servers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A relay in a process of its own, which may be killed. It says what it sends, and either never learns what becomes of it, or fails
 * once with each message.
 */
final class RelayChild implements AutoCloseable {

    static final Duration BACKOFF = Duration.ofSeconds(3);

    /** So short that its claims end soon after it was killed. */
    private static final Duration SHORT_LEASE = Duration.ofSeconds(3);

    /** Long enough that a busy machine does not lose it. */
    private static final Duration LONG_LEASE = Duration.ofMinutes(2);

    private final Process process;
    private final List<Sent> sent = new CopyOnWriteArrayList<>();

    private RelayChild(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "output of a relay");
        reader.setDaemon(true);
        reader.start();
    }

    /** What was sent, and when on the child's monotonic clock. */
    record Sent(String id, long nanos) {}

    enum Broker {
        SILENT,
        FAILING_ONCE
    }

    static RelayChild start(Tables tables, Layout layout, Broker broker, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dpostrider.test.tidb=" + Servers.isTidbForMysql(),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                RelayChild.class.getName(),
                tables.database.jdbcUrl(),
                tables.database.user(),
                tables.database.password(),
                layout.name(),
                broker.name());
        builder.redirectError(ProcessBuilder.Redirect.DISCARD).environment().putAll(environment);
        try {
            return new RelayChild(builder.start());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ");
                if (words[0].equals("sent")) {
                    sent.add(new Sent(words[1], Long.parseLong(words[2])));
                }
            }
        } catch (IOException ended) {
            // The process is gone, and so is what it might have said.
        }
    }

    List<Sent> sent() {
        return List.copyOf(sent);
    }

    /** Ends it at once, without a chance to clean up. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    public static void main(String[] args) throws IOException {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(args[0]);
        pool.setUsername(args[1]);
        pool.setPassword(args[2]);
        Broker broker = Broker.valueOf(args[4]);
        Destination destination = new Announcing(broker);
        OutboxStore store = Layout.valueOf(args[3]).store(pool);
        Relay relay = Relay.builder(store, destination)
                .ordering(Ordering.NONE)
                .lease(broker == Broker.SILENT ? SHORT_LEASE : LONG_LEASE)
                .deliveryTimeout(Duration.ofSeconds(1))
                .backoff(Backoff.constant(BACKOFF))
                .build();
        relay.start();
        while (System.in.read() >= 0) {
            // Until the test's process ends.
        }
        Runtime.getRuntime().halt(0);
    }

    /** Says what it gets. */
    private record Announcing(Broker broker, Set<MessageId> failed) implements Destination {

        Announcing(Broker broker) {
            this(broker, ConcurrentHashMap.newKeySet());
        }

        @Override
        public String name() {
            return "broker";
        }

        @Override
        public CompletionStage<DeliveryResult> send(OutboxMessage message) {
            System.out.println("sent " + message.id() + " " + System.nanoTime());
            if (broker == Broker.SILENT) {
                return new CompletableFuture<>();
            }
            return CompletableFuture.completedFuture(
                    failed.add(message.id()) ? DeliveryResult.retry("busy") : DeliveryResult.DELIVERED);
        }

        @Override
        public Duration deliveryTimeout() {
            return Duration.ofSeconds(1);
        }
    }
}
