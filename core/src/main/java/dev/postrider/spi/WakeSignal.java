package dev.postrider.spi;

import dev.postrider.internal.LogThrottle;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/**
 * Connects writers with relays that share a store object: a writer fires after its commit, and every relay looks at once.
 *
 * <p>A missed signal costs only latency, since relays poll as well. Thread-safe; firing never blocks and never throws.
 */
public final class WakeSignal {

    private static final LogThrottle LOG = new LogThrottle(LoggerFactory.getLogger(WakeSignal.class));

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** Calls the listener on every signal, on the thread of whoever fires: it must return at once. */
    public Registration listen(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Calls all listeners. One that fails is logged: what was committed is committed, and polling finds it. */
    public void fire() {
        for (Runnable listener : listeners) {
            try {
                listener.run();
            } catch (RuntimeException failure) {
                LOG.warn(
                        "listener", failure, "A listener of the wake signal failed; the messages are found by polling");
            }
        }
    }

    /** Ends a {@link #listen}. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
