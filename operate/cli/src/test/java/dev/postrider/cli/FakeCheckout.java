package dev.postrider.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The launcher in a checkout of a few empty files, with a JDK and a Maven that only tell how they were called. */
final class FakeCheckout {

    /** What the launcher calls beside Java and Maven; flock is not among them. */
    private static final List<String> PROGRAMS = List.of(
            "sh",
            "cat",
            "cp",
            "date",
            "dirname",
            "find",
            "head",
            "mkdir",
            "mv",
            "readlink",
            "rm",
            "rmdir",
            "sed",
            "sleep",
            "touch",
            "xargs");

    private final Path root;
    private final Path bin;
    private final Path jdk;

    FakeCheckout(Path directory) throws IOException {
        root = Files.createDirectories(directory.resolve("a checkout"));
        bin = Files.createDirectories(directory.resolve("bin"));
        jdk = Files.createDirectories(directory.resolve("jdk"));
        Files.copy(CheckoutLauncher.script(), root.resolve("postrider"));
        write("pom.xml", "");
        write("operate/cli/pom.xml", "");
        write("operate/cli/src/main/java/Main.java", "");
        executable(jdk.resolve("bin/javac"), "");
        java("17.0.1");
        maven("");
    }

    Path root() {
        return root;
    }

    Path jdk() {
        return jdk;
    }

    /** A JDK that prints its arguments, each in brackets. */
    void java(String version) throws IOException {
        executable(jdk.resolve("bin/java"), """
                if [ "$1" = -version ]; then echo 'openjdk version "%s"' >&2; exit 0; fi
                for argument; do printf '[%%s]' "$argument"; done; echo
                """.formatted(version));
    }

    /** A Maven that notes its call, does this as well, and makes a jar. */
    void maven(String also) throws IOException {
        executable(bin.resolve("mvn"), """
                echo "$JAVA_HOME $*" >>builds
                %s
                mkdir -p operate/cli/target/launcher/lib
                touch operate/cli/target/launcher/lib/library.jar operate/cli/target/launcher/postrider-cli-1.jar
                """.formatted(also));
    }

    void removeMaven() throws IOException {
        Files.delete(bin.resolve("mvn"));
    }

    void write(String file, String text) throws IOException {
        Files.createDirectories(root.resolve(file).getParent());
        Files.writeString(root.resolve(file), text);
    }

    List<String> builds() throws IOException {
        Path builds = root.resolve("builds");
        return Files.exists(builds) ? Files.readAllLines(builds) : List.of();
    }

    /** Leaves only the programs that the launcher may rely on everywhere. */
    void hideOtherPrograms() throws IOException {
        for (String program : PROGRAMS) {
            Path found = Path.of("/usr/bin", program);
            Path real = Files.exists(found) ? found : Path.of("/bin", program);
            executable(bin.resolve(program), "exec " + real + " \"$@\"\n");
        }
    }

    private static void executable(Path file, String script) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** A run of the launcher that may still go on. */
    record Run(Process process, Path output, Path errors) {

        int exitCode() throws InterruptedException {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        }

        String out() throws IOException {
            return Files.readString(output, UTF_8);
        }

        List<String> err() throws IOException {
            return Files.readAllLines(errors, UTF_8);
        }
    }

    Run start(String path, String... arguments) throws IOException {
        return start(root.resolve("postrider"), Map.of("PATH", path), arguments);
    }

    Run start(Path script, Map<String, String> environment, String... arguments) throws IOException {
        Path out = Files.createTempFile(bin, "out", ".txt");
        Path err = Files.createTempFile(bin, "err", ".txt");
        ProcessBuilder builder = new ProcessBuilder(script.toString());
        builder.command().addAll(List.of(arguments));
        builder.environment().put("JAVA_HOME", jdk.toString());
        builder.environment().put("PATH", allPrograms());
        builder.environment().putAll(environment);
        return new Run(
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start(), out, err);
    }

    Run run(String... arguments) throws IOException, InterruptedException {
        Run run = start(allPrograms(), arguments);
        run.exitCode();
        return run;
    }

    String allPrograms() {
        return bin + ":" + System.getenv("PATH");
    }

    String fewPrograms() {
        return bin.toString();
    }
}
