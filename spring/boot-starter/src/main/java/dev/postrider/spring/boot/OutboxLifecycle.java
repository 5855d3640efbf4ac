package dev.postrider.spring.boot;

import dev.postrider.internal.Internal;
import dev.postrider.micrometer.PostriderMetrics;
import dev.postrider.relay.Relay;
import dev.postrider.service.OutboxWork;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spring.StopThread;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.context.SmartLifecycle;

/**
 * Runs the relay of one outbox with the context: started when all beans are ready, stopped before destinations and pools are closed, in the
 * time that the shutdown phase has. May be started again, with a new relay. Thread-safe.
 */
@Internal
public final class OutboxLifecycle implements SmartLifecycle, AutoCloseable {

    /**
     * Below that of web servers and of listeners for brokers: those are stopped first, and what their last work has written is still
     * delivered.
     */
    static final int PHASE = Integer.MAX_VALUE - 8192;

    private final String name;
    private final OutboxStore store;
    private final Optional<Supplier<OutboxWork>> factory;
    private final Optional<PostriderMetrics> metrics;
    private Optional<OutboxWork> running = Optional.empty();

    /** @param factory makes the relay; empty where this process does not relay */
    OutboxLifecycle(
            String name,
            OutboxStore store,
            Optional<Supplier<OutboxWork>> factory,
            Optional<PostriderMetrics> metrics) {
        this.name = name;
        this.store = store;
        this.factory = factory;
        this.metrics = metrics;
    }

    /** As in the properties. */
    public String name() {
        return name;
    }

    public OutboxStore store() {
        return store;
    }

    /** While it runs. */
    public synchronized Optional<Relay> relay() {
        return running.map(OutboxWork::relay);
    }

    /** Whether this process is to relay. */
    public boolean hasRelay() {
        return factory.isPresent();
    }

    @Override
    public boolean isAutoStartup() {
        return hasRelay();
    }

    @Override
    public synchronized void start() {
        if (running.isEmpty() && factory.isPresent()) {
            OutboxWork work = factory.get().get();
            try {
                work.start();
            } catch (RuntimeException failure) {
                work.close();
                throw failure;
            }
            running = Optional.of(work);
        }
    }

    @Override
    public synchronized void stop() {
        running.ifPresent(OutboxWork::close);
        running = Optional.empty();
    }

    /** So that the relays of several outboxes are stopped at the same time. */
    @Override
    public void stop(Runnable callback) {
        StopThread.start("postrider-stop-" + name, this::stop, callback);
    }

    @Override
    public synchronized boolean isRunning() {
        return running.isPresent();
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** Called by the container when nothing uses this bean any more; by then it was stopped, as a rule. */
    @Override
    public void close() {
        stop();
        metrics.ifPresent(PostriderMetrics::close);
    }
}
