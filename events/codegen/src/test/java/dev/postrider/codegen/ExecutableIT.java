package dev.postrider.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script and the executable jar as users put them beside protoc. */
@Timeout(300)
class ExecutableIT {

    private static final Path GOOD =
            Path.of("src/test/resources/dev/postrider/codegen/good").toAbsolutePath();
    private static final String FILE = "example/films/v1beta1/film_events.proto";

    @TempDir
    private Path directory;

    private final Path jar = Path.of(System.getProperty("executable"));

    private Path script() throws Exception {
        Path script = directory.resolve("protoc-gen-postrider");
        try (FileSystem published = FileSystems.newFileSystem(jar)) {
            Files.copy(published.getPath("protoc-gen-postrider"), script, StandardCopyOption.REPLACE_EXISTING);
        }
        script.toFile().setExecutable(true);
        return script;
    }

    @Test
    void runsTheJarBesideTheScript() throws Exception {
        Files.copy(jar, directory.resolve("postrider-codegen-executable.jar"));

        assertThat(new Protoc(directory, script(), Map.of()).run(GOOD, FILE)).isEmpty();

        assertThat(directory.resolve("ours/example/films/v1beta1/PostriderFilmEvents.java"))
                .exists();
    }

    @Test
    void runsTheJarThatTheEnvironmentNames() throws Exception {
        Map<String, String> environment = Map.of("POSTRIDER_CODEGEN_JAR", jar.toString());

        assertThat(new Protoc(directory, script(), environment).run(GOOD, FILE)).isEmpty();

        assertThat(directory.resolve("ours/example/films/v1beta1/PostriderFilmEvents.java"))
                .exists();
    }
}
