package dev.postrider.maintenance;

import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes events on and keeps the failures of listeners away from the maintenance. */
final class Listeners {

    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    private final List<MaintenanceListener> listeners;

    Listeners(List<MaintenanceListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    void tell(Consumer<MaintenanceListener> event) {
        for (MaintenanceListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException | LinkageError | AssertionError failure) {
                LOG.warn(
                        "Listener {} failed; the maintenance goes on",
                        listener.getClass().getName(),
                        failure);
            }
        }
    }
}
