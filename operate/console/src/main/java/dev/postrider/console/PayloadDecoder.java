package dev.postrider.console;

import java.util.Optional;

/** Makes payloads readable that are not. Thread-safe. */
@FunctionalInterface
interface PayloadDecoder {

    /** The payload as JSON; empty if the type is not known, or the payload is none of it. */
    Optional<String> decode(String type, byte[] payload);
}
