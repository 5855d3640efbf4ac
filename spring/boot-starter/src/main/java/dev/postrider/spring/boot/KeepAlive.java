package dev.postrider.spring.boot;

import dev.postrider.spring.EventHandlers;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/**
 * Keeps an application without a web server running while it relays or receives, as Spring's own listeners and scheduled tasks do: all other
 * threads of Postrider are daemons, so that none keeps a process from ending that was told to. Thread-safe.
 */
final class KeepAlive implements SmartLifecycle {

    private final ObjectProvider<OutboxLifecycle> outboxes;
    private final ObjectProvider<EventHandlers> handlers;
    private Optional<Thread> running = Optional.empty();

    KeepAlive(ObjectProvider<OutboxLifecycle> outboxes, ObjectProvider<EventHandlers> handlers) {
        this.outboxes = outboxes;
        this.handlers = handlers;
    }

    /** Its phase is the last, so that whatever there is has started. */
    @Override
    public synchronized void start() {
        boolean isAtWork = outboxes.stream().anyMatch(OutboxLifecycle::isRunning)
                || handlers.stream().anyMatch(EventHandlers::isRunning);
        if (running.isEmpty() && isAtWork) {
            Thread thread = new Thread(KeepAlive::sleep, "postrider-keep-alive");
            thread.setDaemon(false);
            thread.start();
            running = Optional.of(thread);
        }
    }

    private static void sleep() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException stopped) {
            // Nothing is left to do.
        }
    }

    @Override
    public synchronized void stop() {
        running.ifPresent(Thread::interrupt);
        running = Optional.empty();
    }

    @Override
    public synchronized boolean isRunning() {
        return running.isPresent();
    }
}
