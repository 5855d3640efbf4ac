package dev.postrider.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The jars as users get them. */
class PublishedJarsIT {

    private static final List<Path> CLASS_PATH = Stream.of(
                    System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .toList();

    @Test
    void eachJarSaysTheNameOfItsModule() throws IOException {
        for (PublishedModule module : PublishedModule.all()) {
            assertThat(nameIn(jarOf(module))).as(module.artifact()).isEqualTo(module.name());
        }
    }

    private static Path jarOf(PublishedModule module) {
        Pattern name = Pattern.compile(Pattern.quote(module.artifact()) + "-[0-9][^-]*(-SNAPSHOT)?\\.jar");
        return CLASS_PATH.stream()
                .filter(entry -> name.matcher(entry.getFileName().toString()).matches())
                .findFirst()
                .orElseThrow(() -> new AssertionError("No jar of " + module.artifact() + " on the class path"));
    }

    private static String nameIn(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.getManifest().getMainAttributes().getValue("Automatic-Module-Name");
        }
    }
}
