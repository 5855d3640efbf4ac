package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A restart by DevTools leaves no relay behind. In a process of its own: DevTools take over the main thread. */
class DevToolsIT {

    @TempDir
    Path directory;

    @Test
    void leaveNoRelayBehind() throws Exception {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("devtools.jar") + File.pathSeparator + System.getProperty("java.class.path"),
                        RestartingShop.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean hasEnded = process.waitFor(3, TimeUnit.MINUTES);
            assertThat(Files.readString(output))
                    .as("ended: " + hasEnded)
                    .containsPattern("first [1-9][0-9]*, left 0, now some, new classes");
        } finally {
            process.destroyForcibly();
        }
    }
}
