package dev.postrider.codegen;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Message;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The real protoc, calling the plugin as users do. */
final class Protoc {

    private static final Path OPTIONS = Path.of("src/main/resources").toAbsolutePath();

    private final Path directory;
    private final Path protoc = Path.of(System.getProperty("protoc"));

    Protoc(Path directory) {
        this.directory = directory;
        protoc.toFile().setExecutable(true);
    }

    /** What it printed; empty if all went well. Our files are in {@code ours}, protoc's own in {@code messages}. */
    String run(Path root, String... files) throws IOException, InterruptedException {
        Files.createDirectories(directory.resolve("ours"));
        Files.createDirectories(directory.resolve("messages"));
        List<String> command = new ArrayList<>(List.of(
                protoc.toString(),
                "--plugin=protoc-gen-postrider=" + plugin(),
                "--postrider_out=" + directory.resolve("ours"),
                "--java_out=" + directory.resolve("messages"),
                "-I" + root,
                "-I" + OPTIONS,
                "-I" + wellKnownTypes()));
        command.addAll(List.of(files));
        Path log = directory.resolve("protoc.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
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

    private Path plugin() throws IOException {
        Path script = directory.resolve("protoc-gen-postrider");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String text = "#!/bin/sh\nexec '" + java + "' -cp '" + System.getProperty("java.class.path") + "' "
                + Main.class.getName() + "\n";
        Files.write(script, text.getBytes(UTF_8));
        script.toFile().setExecutable(true);
        return script;
    }
}
