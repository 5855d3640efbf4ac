package dev.postrider.service.config;

import dev.postrider.internal.SafeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A text that is never shown: neither by {@code toString} nor in a message, nor in the log of a relay. Immutable. */
public final class Secret {

    private final String value;

    private Secret(String value) {
        this.value = value;
        SafeText.remember(value);
    }

    public static Secret of(String value) {
        return new Secret(value);
    }

    /** The content of a file, without the line break at its end. */
    public static Secret fromFile(Path file) {
        try {
            String text = Files.readString(file).replaceFirst("\\r?\\n$", "");
            if (text.isEmpty()) {
                throw new ConfigException("The password file " + file + " is empty");
            }
            return new Secret(text);
        } catch (IOException unreadable) {
            throw new ConfigException(
                    "Could not read the password file " + file + ": " + FileProblem.of(unreadable), unreadable);
        }
    }

    /** To be handed to a driver, and to nobody else. */
    public String reveal() {
        return value;
    }

    @Override
    public String toString() {
        return "***";
    }
}
