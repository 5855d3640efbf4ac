package dev.postrider.benchpeers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The versions that Maven put on the class path. Stateless. */
final class PeerVersions {

    private static final Properties VERSIONS = load();

    private PeerVersions() {}

    static String of(String peer) {
        return VERSIONS.getProperty(peer);
    }

    private static Properties load() {
        try (InputStream file = PeerVersions.class.getResourceAsStream("versions.properties")) {
            Properties versions = new Properties();
            versions.load(file);
            return versions;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
