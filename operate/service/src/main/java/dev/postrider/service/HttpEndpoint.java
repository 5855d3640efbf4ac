package dev.postrider.service;

import com.sun.net.httpserver.HttpExchange;
import dev.postrider.internal.HeaderJson;
import dev.postrider.internal.LogThrottle;
import dev.postrider.service.config.ConfigException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers over HTTP: {@code /health} says that the process lives, {@code /ready} whether every outbox is being delivered and if
 * not, why, {@code /metrics} gives all metrics in the text format of Prometheus or, for whoever accepts it, in that of OpenMetrics. Everybody who reaches the port may ask; nothing can be changed.
 */
final class HttpEndpoint implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);
    private final LogThrottle throttle = new LogThrottle(LOG);
    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";
    /** The same with exemplars; Prometheus asks for it by default. */
    private static final String OPEN_METRICS = "application/openmetrics-text";

    private static final String OPEN_METRICS_TEXT = OPEN_METRICS + "; version=1.0.0; charset=utf-8";

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;

    private final HttpSettings settings;
    private final Readiness readiness;
    private final UnaryOperator<String> metrics;
    private final LimitedHttpServer server;

    /** The metrics are asked for by their content type. */
    HttpEndpoint(HttpSettings settings, Readiness readiness, UnaryOperator<String> metrics) {
        this.settings = settings;
        this.readiness = readiness;
        this.metrics = metrics;
        this.server = bind(settings);
        server.add("/", exchange -> handle(exchange, "/", request -> notFound()));
        server.add("/health", exchange -> handle(exchange, "/health", request -> health()));
        server.add("/ready", exchange -> handle(exchange, "/ready", request -> ready()));
        server.add("/metrics", exchange -> handle(exchange, "/metrics", this::metrics));
    }

    /** Before the start. */
    void add(HttpPart part) {
        server.add(part.path(), part::handle);
    }

    private static LimitedHttpServer bind(HttpSettings settings) {
        try {
            return LimitedHttpServer.bind(new InetSocketAddress(settings.host(), settings.port()));
        } catch (IOException taken) {
            throw new ConfigException(
                    "Cannot listen at %s:%d: %s. Choose another http.port, or 0 for any"
                            .formatted(settings.host(), settings.port(), taken.getMessage()),
                    taken);
        }
    }

    void start() {
        server.start();
        LOG.atInfo().log("Answering at http://{}:{}", settings.host(), port());
    }

    int port() {
        return server.port();
    }

    private void handle(HttpExchange exchange, String path, Answering answering) throws IOException {
        try (exchange) {
            boolean isKnown = exchange.getRequestURI().getPath().equals(path);
            boolean isRead = exchange.getRequestMethod().equals("GET")
                    || exchange.getRequestMethod().equals("HEAD");
            Answer answer = !isRead
                    ? Answer.json(NOT_ALLOWED, Map.of("error", "only GET is answered"))
                    : isKnown ? answering.answer(exchange) : notFound();
            send(exchange, answer);
        } catch (RuntimeException failure) {
            throttle.warn(path, failure, "Could not answer {}", path);
        }
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", answer.contentType());
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(answer.status(), isHead ? -1 : body.length);
        if (!isHead) {
            exchange.getResponseBody().write(body);
        }
    }

    private Answer health() {
        return Answer.json(OK, Map.of("status", "up"));
    }

    private Answer ready() {
        Map<String, Optional<String>> problems = readiness.problems();
        boolean isReady = problems.values().stream().allMatch(Optional::isEmpty);
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("status", isReady ? "up" : "down");
        problems.forEach((outbox, problem) -> fields.put("outbox " + outbox, problem.orElse("up")));
        fields.putAll(readiness.unavailablePlaces());
        return Answer.json(isReady ? OK : UNAVAILABLE, fields);
    }

    private Answer metrics(HttpExchange exchange) {
        boolean isOpen = exchange.getRequestHeaders().getOrDefault("Accept", List.of()).stream()
                .anyMatch(accepted -> accepted.contains(OPEN_METRICS));
        String type = isOpen ? OPEN_METRICS_TEXT : PROMETHEUS_TEXT;
        return new Answer(OK, type, metrics.apply(type));
    }

    private Answer notFound() {
        return Answer.json(NOT_FOUND, Map.of("error", "there are /health, /ready and /metrics"));
    }

    @Override
    public void close() {
        server.close();
    }

    private record Answer(int status, String contentType, String body) {
        static Answer json(int status, Map<String, String> fields) {
            return new Answer(status, "application/json", HeaderJson.write(fields) + "\n");
        }
    }

    @FunctionalInterface
    private interface Answering {
        Answer answer(HttpExchange exchange);
    }
}
