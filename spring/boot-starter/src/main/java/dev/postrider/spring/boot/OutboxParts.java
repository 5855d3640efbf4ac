package dev.postrider.spring.boot;

import static java.util.Objects.requireNonNull;

import dev.postrider.Outbox;
import dev.postrider.bus.EventPublishers;
import dev.postrider.maintenance.MaintenanceListener;
import dev.postrider.message.OutboxMessage;
import dev.postrider.micrometer.MessagingMetrics;
import dev.postrider.micrometer.PostriderMetrics;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.service.EmbeddedConfig;
import dev.postrider.service.FileWords;
import dev.postrider.service.OutboxConfig;
import dev.postrider.service.OutboxWork;
import dev.postrider.service.config.ConfigException;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.OutboxTables;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.FailureClassifier;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.TraceContext;
import dev.postrider.spring.SpringOutbox;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/** Makes the parts of each outbox: from its properties, and from what the application has. */
final class OutboxParts {

    private static final Duration SHUTDOWN_PHASE = Duration.ofSeconds(30);
    private static final int FIRST_JAVA_WITH_VIRTUAL_THREADS = 21;

    private final PostriderProperties properties;
    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;

    OutboxParts(PostriderProperties properties, ConfigurableListableBeanFactory beans, Environment environment) {
        this.properties = properties;
        this.beans = beans;
        this.environment = environment;
    }

    private OutboxConfig config(String outbox) {
        return requireNonNull(properties.config().outboxes().get(outbox));
    }

    DataSource dataSource(String outbox) {
        Optional<String> bean = properties.settings(outbox).dataSource();
        if (bean.isPresent()) {
            return beans.getBean(bean.get(), DataSource.class);
        }
        try {
            return beans.getBean(DataSource.class);
        } catch (NoUniqueBeanDefinitionException several) {
            throw new ConfigException(
                    "There are several data sources and none is primary: " + several.getBeanNamesFound()
                            + ". Name the one of the outbox in postrider.data-source",
                    several);
        }
    }

    /** The tables of the single outbox, or of the first of several that is in this data source. */
    Optional<StoreSettings> tablesIn(DataSource dataSource) {
        return properties.config().outboxes().keySet().stream()
                .filter(outbox -> outbox.equals(EmbeddedConfig.SINGLE) || dataSource(outbox) == dataSource)
                .findFirst()
                .map(outbox -> config(outbox).store());
    }

    RelayPool pool(String outbox) {
        SpringSettings settings = properties.settings(outbox);
        return settings.hasRelay() && settings.hasOwnPool()
                ? RelayPool.own(outbox, dataSource(outbox), config(outbox))
                : RelayPool.shared(dataSource(outbox));
    }

    private TraceContext trace() {
        return beans.getBeanProvider(TraceContext.class).getIfUnique(() -> TraceContext.NONE);
    }

    OutboxStore store(String outbox, RelayPool pool) {
        DatabaseKind kind = DatabaseKind.ofProduct(ProductName.of(pool.dataSource()));
        return new OutboxTables(kind, pool.dataSource(), config(outbox).store()).open();
    }

    Outbox outbox(String outbox, OutboxStore store) {
        Outbox.Builder builder = Outbox.builder(store);
        properties
                .settings(outbox)
                .source()
                .or(() -> Optional.ofNullable(environment.getProperty("spring.application.name"))
                        .filter(name -> name.matches("[A-Za-z0-9._~-]+"))
                        .map(name -> "/" + name))
                .ifPresent(builder::source);
        return builder.tracing(trace()).build();
    }

    SpringOutbox springOutbox(String name, Outbox outbox) {
        SpringOutbox.Builder builder = SpringOutbox.builder(outbox, dataSource(name))
                .flushJpa(properties.settings(name).flushesJpa())
                .beanFactory(beans);
        beans.getBeanProvider(EventPublishers.class).ifUnique(builder::events);
        return builder.build();
    }

    OutboxLifecycle lifecycle(String outbox, OutboxStore store) {
        Optional<PostriderMetrics> metrics = registry().map(registry -> PostriderMetrics.of(store, registry));
        Optional<Supplier<OutboxWork>> relaying = properties.settings(outbox).hasRelay()
                ? Optional.of(() -> work(outbox, store, metrics))
                : Optional.empty();
        return new OutboxLifecycle(outbox, store, relaying, metrics);
    }

    /** The same outbox for operators. */
    ConsoleOutbox consoleOutbox(OutboxLifecycle lifecycle) {
        String outbox = lifecycle.name();
        return new ConsoleOutbox(
                outbox,
                dataSource(outbox),
                config(outbox).store(),
                () -> lifecycle.hasRelay()
                        ? Optional.of(
                                beans.getBean(Destinations.class).outbox(outbox).routes())
                        : Optional.empty());
    }

    private OutboxWork work(String outbox, OutboxStore store, Optional<PostriderMetrics> metrics) {
        Destinations destinations = beans.getBean(Destinations.class);
        MaintenanceListener listener =
                metrics.map(PostriderMetrics::maintenanceListener).orElse(new MaintenanceListener() {});
        return new OutboxWork(
                destinations.outbox(outbox),
                store,
                new OutboxWork.Means(destinations.byName(), listener, relay -> customized(outbox, relay, metrics)));
    }

    private RelayBuilder customized(String outbox, RelayBuilder relay, Optional<PostriderMetrics> metrics) {
        relay.closeTimeout(shorter(
                config(outbox).closeTimeout(), shutdownPhase().multipliedBy(3).dividedBy(4)));
        relay.failureClassifier(new KeyWords());
        relay.tracing(trace());
        if (usesVirtualThreads()) {
            relay.executor(new VirtualThreadTaskExecutor("postrider-" + outbox + "-"));
        }
        conventions().ifPresent(relay::listener);
        metrics.map(PostriderMetrics::relayListener).ifPresent(relay::listener);
        beans.getBeanProvider(RelayCustomizer.class)
                .orderedStream()
                .forEach(customizer -> customizer.customize(outbox, relay));
        return relay;
    }

    private Optional<MessagingMetrics> conventions() {
        Map<String, Destination> destinations =
                beans.getBean(Destinations.class).byName();
        return properties.hasMessagingConventions()
                ? registry()
                        .map(registry -> new MessagingMetrics(
                                registry,
                                name -> requireNonNull(destinations.get(name)).system()))
                : Optional.empty();
    }

    private Optional<MeterRegistry> registry() {
        return Optional.ofNullable(beans.getBeanProvider(MeterRegistry.class).getIfAvailable());
    }

    /** What a phase of the context's end may take; afterwards Spring goes on to close pools and clients. */
    private Duration shutdownPhase() {
        return Binder.get(environment)
                .bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
                .orElse(SHUTDOWN_PHASE);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private boolean usesVirtualThreads() {
        return environment.getProperty("spring.threads.virtual.enabled", Boolean.class, false)
                && Runtime.version().feature() >= FIRST_JAVA_WITH_VIRTUAL_THREADS;
    }

    /** Leaves every judgement of a destination as it is, in the words of the properties. */
    private static final class KeyWords implements FailureClassifier {

        @Override
        public DeliveryResult.Failed classify(OutboxMessage message, DeliveryResult.Failed failure) {
            return FileWords.of(failure, FileWords::inKeys);
        }

        @Override
        public boolean keepsRejections() {
            return true;
        }
    }
}
