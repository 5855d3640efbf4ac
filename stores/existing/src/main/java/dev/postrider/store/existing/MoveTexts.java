package dev.postrider.store.existing;

import java.util.Optional;

/**
 * What the metadata of a row mean.
 *
 * @param topic of all rows; empty where the type tells it
 * @param keyAttribute {@code subject}, or the name of an extension
 * @param isLenient whether attributes are sent as they were written
 */
record MoveTexts(Optional<String> topic, String keyAttribute, boolean isLenient) {

    static final String SUBJECT = "subject";

    boolean isKeySubject() {
        return keyAttribute.equals(SUBJECT);
    }

    /** Where the key stands in the metadata, as a path of JSON. */
    String keyPath() {
        return isKeySubject() ? "Subject" : "Extensions.\"" + keyAttribute + "\"";
    }
}
