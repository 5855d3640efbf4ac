package dev.postrider.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** What {@link Protoc} has written, and the compiler for it. */
final class JavaFiles {

    private JavaFiles() {}

    static List<Path> under(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }

    static Path classes(Path directory) throws IOException {
        return Files.createDirectories(directory.resolve("classes"));
    }

    /** Fails unless messages and ours compile together. */
    static void compile(Path directory) throws IOException {
        StringWriter printed = new StringWriter();
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            boolean isFine = compiler.getTask(
                            printed,
                            files,
                            null,
                            List.of(
                                    "-proc:none",
                                    "--release",
                                    "17",
                                    "-nowarn",
                                    "-d",
                                    classes(directory).toString(),
                                    "-cp",
                                    System.getProperty("java.class.path")),
                            null,
                            files.getJavaFileObjectsFromPaths(under(directory)))
                    .call();
            assertThat(isFine).as(printed.toString()).isTrue();
        }
    }
}
