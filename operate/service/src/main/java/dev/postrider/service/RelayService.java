package dev.postrider.service;

import dev.postrider.internal.Internal;
import dev.postrider.message.PostriderException;
import dev.postrider.micrometer.MessageExemplars;
import dev.postrider.relay.DrainReport;
import dev.postrider.service.config.ConfigException;
import dev.postrider.spi.Destination;
import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The standalone relay: delivers the messages of all outboxes of a configuration, and answers over HTTP.
 *
 * <p>A database that cannot be reached is tried again for ever, and the service is not ready meanwhile; a mistake in the
 * configuration or in the tables ends it. Thread-safe; started once and closed once.
 *
 * <pre>{@code
 * try (RelayService service = RelayService.of(config)) {
 *     service.start();
 *     service.awaitEnd();
 * }
 * }</pre>
 */
public final class RelayService implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RelayService.class);

    private final ServiceConfig config;
    private final Optional<HttpPart> console;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(
            PrometheusConfig.DEFAULT, new PrometheusRegistry(), Clock.SYSTEM, new MessageExemplars());
    private final OpenOutbox.Shared shared;
    private final List<OutboxRunner> runners;
    private volatile Optional<HttpEndpoint> http = Optional.empty();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private RelayService(ServiceConfig config, Optional<HttpPart> console) {
        TracingSettings.warnWithoutAgent(config.tracing());
        this.config = config;
        this.console = console;
        this.shared = new OpenOutbox.Shared(
                config.createDestinations(), registry, config.http().hasConventions(), config.tracing());
        this.runners = config.outboxes().stream()
                .map(outbox -> new OutboxRunner(outbox, shared, end::completeExceptionally))
                .toList();
    }

    /** Prepares a service; it does nothing yet. */
    public static RelayService of(ServiceConfig config) {
        return new RelayService(config, Optional.empty());
    }

    /** The same with a console at its HTTP port, which is closed with the service. */
    @Internal
    public static RelayService of(ServiceConfig config, Optional<HttpPart> console) {
        return new RelayService(config, console);
    }

    /**
     * Begins to answer over HTTP and to deliver. Returns at once.
     *
     * @throws ConfigException if the port is taken
     */
    public void start() {
        if (config.console().isPresent() && (console.isEmpty() || !config.http().isEnabled())) {
            throw new ConfigException("The file has a section 'console', but "
                    + (console.isEmpty() ? "this program has no console" : "http.enabled is false")
                    + "; remove the section, or run 'postrider relay' with HTTP");
        }
        if (config.http().isEnabled()) {
            HttpEndpoint endpoint = new HttpEndpoint(config.http(), new Readiness(runners), registry::scrape);
            console.ifPresent(endpoint::add);
            http = Optional.of(endpoint);
            endpoint.start();
        }
        runners.forEach(OutboxRunner::start);
    }

    /** The port at which it answers over HTTP, once it is started. */
    public Optional<Integer> port() {
        return http.map(HttpEndpoint::port);
    }

    /**
     * Waits until the service is closed.
     *
     * @throws PostriderException as soon as an outbox cannot work because of a mistake
     */
    public void awaitEnd() throws InterruptedException {
        try {
            end.get();
        } catch (ExecutionException failed) {
            throw (PostriderException) failed.getCause();
        }
    }

    /**
     * Delivers what is deliverable now in each outbox, one after the other, instead of starting: for cron and tests.
     *
     * @return by name of the outbox
     * @throws PostriderException when an outbox cannot be used; those before it were drained
     */
    public Map<String, DrainReport> drainOnce() {
        Map<String, DrainReport> reports = new LinkedHashMap<>();
        for (OutboxConfig outbox : config.outboxes()) {
            try (OpenOutbox opened = OpenOutbox.open(outbox, shared)) {
                reports.put(outbox.name(), opened.relay().drainOnce());
            }
        }
        return reports;
    }

    /** Stops taking work, waits up to each relay's close timeout for what is in flight, and releases the lanes. */
    @Override
    public void close() {
        LOG.debug("Stopping");
        CompletableFuture.allOf(runners.stream()
                        .map(runner -> CompletableFuture.runAsync(runner::close, RelayService::onOwnThread))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
        shared.destinations().values().forEach(Destination::close);
        http.ifPresent(HttpEndpoint::close);
        console.ifPresent(HttpPart::close);
        end.complete(null);
    }

    /** All at once, since each may take its whole close time-out. */
    private static void onOwnThread(Runnable task) {
        new Thread(task, "postrider-close").start();
    }
}
