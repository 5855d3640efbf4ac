package dev.postrider.codegen;

import java.util.Optional;

/**
 * One event, ready to be written.
 *
 * @param name the message's name without its last "Event"
 * @param place file, line and column
 * @param type the name on the wire
 * @param javaClass the full name of the message's class
 * @param key where the key of an event comes from
 */
record Event(
        String name,
        String place,
        String type,
        String javaClass,
        Optional<String> topic,
        EventKey key,
        Optional<String> comment,
        boolean isDeprecated) {

    /** What stands before the last dot of the type. */
    String service() {
        return type.substring(0, type.lastIndexOf('.'));
    }
}
