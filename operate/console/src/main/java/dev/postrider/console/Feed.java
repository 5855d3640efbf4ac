package dev.postrider.console;

import java.util.Optional;

/** The body of an answer that goes on: one line of JSON after the other, for as long as somebody reads. For one thread. */
@FunctionalInterface
public interface Feed {

    /**
     * Waits for the next line, with its end.
     *
     * @return empty when there are no more
     */
    Optional<byte[]> next() throws InterruptedException;
}
