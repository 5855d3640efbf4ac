package dev.postrider.spring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Finds all methods with {@link EventHandler}, and runs a subscriber of the bus for each name in them, from the start of the context until
 * its end.
 *
 * <p>A mistake in a method, or a missing inbox, fails the start of the context. A subscriber that cannot reach its broker, or whose
 * receiver gives up, is made again after a pause. With the property {@code postrider.handlers.enabled=false} none is started. Thread-safe.
 */
public final class EventHandlers implements BeanFactoryAware, SmartInitializingSingleton, SmartLifecycle {

    /** As Spring's own listeners for brokers: started after what handlers use, and stopped before it. */
    public static final int PHASE = Integer.MAX_VALUE - 100;

    private final boolean isEnabled;
    private @Nullable ConfigurableListableBeanFactory beans;
    private Map<String, List<HandlerMethod>> bySubscriber = Map.of();
    private Optional<RunningSubscribers> running = Optional.empty();

    /** Handlers and the {@link SubscriberFactory} are beans of the factory that makes this one. */
    public EventHandlers() {
        this(true);
    }

    /** @param isEnabled whether subscribers start with the context */
    EventHandlers(boolean isEnabled) {
        this.isEnabled = isEnabled;
    }

    @Override
    public void setBeanFactory(BeanFactory value) {
        this.beans = (ConfigurableListableBeanFactory) value;
    }

    @Override
    public synchronized void afterSingletonsInstantiated() {
        ConfigurableListableBeanFactory factory =
                Objects.requireNonNull(beans, "This is to be a bean of an application context");
        bySubscriber = HandlerMethod.in(factory).stream()
                .collect(Collectors.groupingBy(HandlerMethod::subscriber, LinkedHashMap::new, Collectors.toList()));
    }

    @Override
    public boolean isAutoStartup() {
        return isEnabled;
    }

    @Override
    public synchronized void start() {
        if (running.isEmpty() && !bySubscriber.isEmpty()) {
            bySubscriber.values().forEach(handlers -> handlers.forEach(HandlerMethod::requireInbox));
            SubscriberFactory subscribers = subscriberFactory();
            running = Optional.of(RunningSubscribers.start(bySubscriber, subscribers));
        }
    }

    private SubscriberFactory subscriberFactory() {
        return Objects.requireNonNull(beans)
                .getBeanProvider(SubscriberFactory.class)
                .getIfAvailable(() -> {
                    throw new IllegalStateException("There are methods with @EventHandler for " + bySubscriber.keySet()
                            + ", but nothing says from which broker their events come. Define a bean of type"
                            + " SubscriberFactory");
                });
    }

    /** Waits for running handlers, see {@link dev.postrider.bus.Subscriber#close}. */
    @Override
    public synchronized void stop() {
        running.ifPresent(RunningSubscribers::close);
        running = Optional.empty();
    }

    @Override
    public void stop(Runnable callback) {
        StopThread.start("postrider-subscribers-stop", this::stop, callback);
    }

    @Override
    public synchronized boolean isRunning() {
        return running.isPresent();
    }

    /** Each subscriber by name, and whether it receives at this moment. One that does not waits for its broker. */
    public synchronized Map<String, Boolean> receiving() {
        return running.map(RunningSubscribers::receiving).orElse(Map.of());
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
