package dev.postrider.codegen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.protobuf.Message;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The real protoc, calling the plugin as users do. Where the build has none for the machine, tests that make one are skipped. */
final class Protoc {

    private static final Path OPTIONS = Path.of("src/main/resources").toAbsolutePath();

    private final Path directory;
    private final Map<String, String> environment;
    private final Path plugin;
    private final Path protoc = Path.of(System.getProperty("protoc"));

    /** With a plugin that runs from the classes of this build. */
    Protoc(Path directory) throws IOException {
        this(directory, scriptIn(directory), Map.of());
    }

    /** With this plugin, and these variables in its environment. */
    Protoc(Path directory, Path plugin, Map<String, String> environment) {
        this.directory = directory;
        this.plugin = plugin;
        this.environment = environment;
        assumeThat(System.getProperty("os.name") + " " + System.getProperty("os.arch"))
                .isEqualTo("Linux amd64");
        protoc.toFile().setExecutable(true);
    }

    /** What it printed; empty if all went well. Our files are in {@code ours}, protoc's own in {@code messages}. */
    String run(Path root, String... files) throws IOException, InterruptedException {
        Files.createDirectories(directory.resolve("ours"));
        Files.createDirectories(directory.resolve("messages"));
        List<String> command = new ArrayList<>(List.of(
                protoc.toString(),
                "--plugin=protoc-gen-postrider=" + plugin,
                "--postrider_out=" + directory.resolve("ours"),
                "--java_out=" + directory.resolve("messages"),
                "-I" + root,
                "-I" + OPTIONS,
                "-I" + wellKnownTypes()));
        command.addAll(List.of(files));
        Path log = directory.resolve("protoc.log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("protoc has not ended");
        }
        String printed = Files.readString(log);
        return process.exitValue() == 0 ? "" : printed.isEmpty() ? "exit code " + process.exitValue() : printed;
    }

    /** The jar of protobuf-java has what protoc's own archive would. */
    private Path wellKnownTypes() throws IOException {
        String name = "google/protobuf/descriptor.proto";
        Path copy = directory.resolve("include").resolve(name);
        Files.createDirectories(copy.getParent());
        try (InputStream original = Message.class.getResourceAsStream("/" + name)) {
            Files.copy(original, copy, StandardCopyOption.REPLACE_EXISTING);
        }
        return directory.resolve("include");
    }

    private static Path scriptIn(Path directory) throws IOException {
        Path script = directory.resolve("protoc-gen-postrider");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String text = "#!/bin/sh\nexec '" + java + "' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '"
                + System.getProperty("java.class.path") + "' " + Main.class.getName() + "\n";
        Files.write(script, text.getBytes(UTF_8));
        script.toFile().setExecutable(true);
        return script;
    }
}
