package dev.postrider.spi;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Connects writers with relays that share a store object: a writer fires after its commit, and every relay looks at once.
 *
 * <p>A missed signal costs only latency, since relays poll as well. Thread-safe; firing never blocks and never throws.
 */
public final class WakeSignal {

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** Calls the listener on every signal, on the thread of whoever fires: it must return at once. */
    public Registration listen(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    public void fire() {
        for (Runnable listener : listeners) {
            listener.run();
        }
    }

    /** Ends a {@link #listen}. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
