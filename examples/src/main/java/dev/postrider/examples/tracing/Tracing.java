package dev.postrider.examples.tracing;

import dev.postrider.Outbox;
import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.Subscriber;
import dev.postrider.bus.interceptor.TraceInterceptor;
import dev.postrider.codec.json.JsonCodec;
import dev.postrider.destination.kafka.KafkaDestination;
import dev.postrider.destination.kafka.KafkaReceiver;
import dev.postrider.opentelemetry.OpenTelemetryTracing;
import dev.postrider.relay.Relay;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.TraceContext;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/**
 * A trace from an HTTP request over the outbox and Kafka to what the consumer does, collected in this process and printed as a tree.
 *
 * <p>The arguments are the address of Kafka, {@code host:port}, a topic, and where a picture of the trace is wanted, the file for it.
 */
public final class Tracing {

    private final InMemorySpanExporter collected = InMemorySpanExporter.create();
    private final OpenTelemetrySdk openTelemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(collected))
                    .build())
            .build();
    private final TraceContext tracing =
            OpenTelemetryTracing.builder(openTelemetry).sendAsChild(true).build();
    private final CountDownLatch handled = new CountDownLatch(1);
    private final String kafka;
    private final String topic;

    private final Optional<Path> picture;

    private Tracing(List<String> args) {
        this.kafka = args.get(0);
        this.topic = args.get(1);
        this.picture = args.stream().skip(2).findFirst().map(Path::of);
    }

    public static void main(String[] args) throws Exception {
        new Tracing(args.length > 0 ? List.of(args) : List.of("localhost:9092", "orders")).run();
    }

    private void run() throws Exception {
        DataSource database = database();
        OutboxStore store =
                H2OutboxStore.builder(database).schemaMode(SchemaMode.CREATE).build();
        Outbox outbox = Outbox.builder(store).tracing(tracing).build();
        try (Destination destination = KafkaDestination.builder("kafka", kafka)
                        .createTopics(1, 1)
                        .build();
                Relay relay = Relay.builder(store, destination).tracing(tracing).build();
                Subscriber billing = billing(database);
                OrderService orders = new OrderService(openTelemetry, outbox, database, topic)) {
            billing.start();
            relay.start();
            post(orders, "order-17");
            handled.await(30, TimeUnit.SECONDS);
        }
        TraceTree tree = new TraceTree(collected.getFinishedSpanItems());
        tree.print();
        if (picture.isPresent()) {
            new TracePicture(tree.rows()).write(picture.get());
        }
        openTelemetry.close();
    }

    private static void post(OrderService orders, String order) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(orders.uri())
                .POST(HttpRequest.BodyPublishers.ofString(order))
                .build();
        int status = HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
        System.out.println("placed " + order + ": " + status);
    }

    private Subscriber billing(DataSource database) {
        return Subscriber.builder(
                        "billing",
                        KafkaReceiver.builder("billing-" + topic, kafka)
                                .topics(topic)
                                .createTopics(1, 1)
                                .build(),
                        CodecRegistry.of(JsonCodec.withDefaults()))
                .intercept(new TraceInterceptor(tracing))
                .build()
                .registerFallback((message, context) -> {
                    bill(database, context.key().orElseThrow());
                    handled.countDown();
                });
    }

    /** The consumer's effect; a database driver with instrumentation would make this span. */
    private void bill(DataSource database, String order) throws SQLException {
        var span = openTelemetry
                .getTracer("billing")
                .spanBuilder("INSERT invoices")
                .startSpan();
        try {
            execute(database, "INSERT INTO invoices VALUES ('" + order + "')");
        } finally {
            span.end();
        }
    }

    private static DataSource database() throws SQLException {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:tracing;DB_CLOSE_DELAY=-1");
        execute(database, "CREATE TABLE IF NOT EXISTS orders (id VARCHAR PRIMARY KEY)");
        execute(database, "CREATE TABLE IF NOT EXISTS invoices (order_id VARCHAR PRIMARY KEY)");
        return database;
    }

    private static void execute(DataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
