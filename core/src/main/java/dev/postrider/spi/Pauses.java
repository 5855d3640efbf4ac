package dev.postrider.spi;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Destinations that operators have paused, for all relays of this outbox. Thread-safe. */
public interface Pauses {

    /** The names of the paused destinations. Read about once a second by every relay. */
    Set<String> paused();

    /** Pauses the destination; no effect if it is paused already. */
    void pause(String destination, String operator);

    /** Ends the pause; no effect if there is none. */
    void resume(String destination, String operator);

    /** Pauses that live in memory, for the relays of this process alone. */
    static Pauses ofProcess() {
        return new Pauses() {
            private final Set<String> paused = ConcurrentHashMap.newKeySet();

            @Override
            public Set<String> paused() {
                return Set.copyOf(paused);
            }

            @Override
            public void pause(String destination, String operator) {
                paused.add(destination);
            }

            @Override
            public void resume(String destination, String operator) {
                paused.remove(destination);
            }
        };
    }
}
