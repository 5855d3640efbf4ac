package dev.postrider.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What stands before the command line itself: the script at the root, and the jar. */
@Timeout(120)
class LauncherIT {

    private static final Path SCRIPT =
            Path.of("..", "postrider").toAbsolutePath().normalize();

    @TempDir
    private Path directory;

    private record Run(int exitCode, String out, String err) {}

    private Run run(ProcessBuilder builder) throws IOException, InterruptedException {
        Path err = directory.resolve("err.txt");
        Process process = builder.redirectError(err.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Run(process.exitValue(), out, Files.readString(err));
    }

    private Run launch(Path javaHome) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(SCRIPT.toString(), "--version");
        builder.environment().put("JAVA_HOME", javaHome.toString());
        return run(builder);
    }

    @Test
    void saysInOneLineThatThereIsNoJdk() throws Exception {
        Run run = launch(directory.resolve("nowhere"));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err().lines())
                .containsExactly("postrider: needs a JDK 17 or later; found none. Install one or set JAVA_HOME.");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void saysInOneLineThatTheJdkIsTooOld() throws Exception {
        Path bin = Files.createDirectories(directory.resolve("bin"));
        Path java =
                Files.writeString(bin.resolve("java"), "#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));

        Run run = launch(directory);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err().lines())
                .containsExactly("postrider: needs a JDK 17 or later; " + java + " is version 11. Set JAVA_HOME.");
    }

    @Test
    void runsAsAJarBesideItsLibraries() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");

        Run run = run(
                new ProcessBuilder(java.toString(), "-jar", jar().toString(), "doctor", "--url", "jdbc:h2:mem:none"));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
        assertThat(run.out()).contains("outbox", "  ok       database", "ERROR    tables: ");
    }

    /** The one with the program, not with its sources or documentation. */
    private static Path jar() throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of("target"), "postrider-cli-*.jar")) {
            for (Path jar : jars) {
                if (!jar.toString().matches(".*-(sources|javadoc|tests)\\.jar")) {
                    return jar;
                }
            }
        }
        throw new IllegalStateException("There is no jar in target: run mvn package first");
    }
}
