package dev.postrider.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Finds a jar of server programs on the class path. There is one for Linux on 64-bit Intel and AMD machines only. */
final class MavenArtifact {
    private MavenArtifact() {}

    /** The jar that holds a resource. */
    static Path jarWith(String resource) {
        requirePlatform();
        URL url = Optional.ofNullable(MavenArtifact.class.getClassLoader().getResource(resource))
                .orElseThrow(
                        () -> new ServerUnavailableException("no Maven artifact on the class path has " + resource));
        try {
            var connection = (JarURLConnection) url.openConnection();
            return Path.of(connection.getJarFileURL().toURI());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void requirePlatform() {
        String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!system.toLowerCase(Locale.ROOT).equals("linux amd64")) {
            throw new ServerUnavailableException("Maven artifacts have no programs for " + system);
        }
    }
}
