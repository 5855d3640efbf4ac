package dev.postrider.prove.write;

import java.util.Optional;

/**
 * What the messages of writers look like.
 *
 * @param mayLackKey whether some of them have no key
 * @param payload of each
 */
public record MessageForm(String type, String contentType, boolean mayLackKey, Payload payload) {

    /** Makes payloads from which number, and key if need be, can be read again. */
    @FunctionalInterface
    public interface Payload {

        byte[] of(Optional<String> key, long n);
    }

    /** Messages of an outbox of our own. */
    public static MessageForm of(Payload payload) {
        return new MessageForm("prove.Counted", "text/plain", true, payload);
    }
}
