package dev.postrider.spi;

import java.util.Set;

/** Destinations that operators have paused, for all relays of this outbox. Thread-safe. */
public interface Pauses {

    /** The names of the paused destinations. Read about once a second by every relay. */
    Set<String> paused();

    /** Pauses the destination; no effect if it is paused already. */
    void pause(String destination, String operator);

    /** Ends the pause; no effect if there is none. */
    void resume(String destination, String operator);
}
