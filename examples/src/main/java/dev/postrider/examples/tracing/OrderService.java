package dev.postrider.examples.tracing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.postrider.Outbox;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Scope;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Takes orders over HTTP: writes the order and its event in one transaction. */
final class OrderService implements AutoCloseable {

    private final OpenTelemetry openTelemetry;
    private final Outbox outbox;
    private final DataSource dataSource;
    private final String topic;
    private final HttpServer http;

    OrderService(OpenTelemetry openTelemetry, Outbox outbox, DataSource dataSource, String topic) throws IOException {
        this.openTelemetry = openTelemetry;
        this.outbox = outbox;
        this.dataSource = dataSource;
        this.topic = topic;
        this.http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/orders", this::handle);
        http.start();
    }

    URI uri() {
        return URI.create("http://localhost:" + http.getAddress().getPort() + "/orders");
    }

    /** What the instrumentation of a web framework does: a span of each request, current while it is handled. */
    private void handle(HttpExchange exchange) throws IOException {
        Span request = openTelemetry
                .getTracer("orders")
                .spanBuilder("POST /orders")
                .setSpanKind(SpanKind.SERVER)
                .startSpan();
        try (exchange;
                Scope scope = request.makeCurrent()) {
            assert scope != null;
            place(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
        } finally {
            request.end();
        }
    }

    private void place(String order) {
        try {
            outbox.inTransaction(dataSource, tx -> {
                insert(tx.connection(), order);
                tx.enqueue(outbox.message(topic)
                        .key(order)
                        .type("example.orders.v1.Placed")
                        .json("{\"order\": \"" + order + "\"}")
                        .build());
            });
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void insert(Connection connection, String order) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders VALUES (?)")) {
            insert.setString(1, order);
            insert.executeUpdate();
        }
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
