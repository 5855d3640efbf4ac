package dev.postrider.spring.boot.guide;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.Shop;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The application at the top of the guide does what stands there, in a process of its own. */
@Timeout(120)
class FirstEventTest {

    private final List<String> output = new ArrayList<>();

    @Test
    void isInTheLogOfAnApplicationThatRunsOn() throws Exception {
        Process shop = start();
        try (BufferedReader lines = shop.inputReader()) {
            assertThat(readsUntil(lines, "of destination log: topic orders, key 17, type com.example.Shop.OrderPlaced"))
                    .as(() -> String.join("\n", output))
                    .isTrue();
            assertThat(shop.isAlive()).isTrue();
            shop.toHandle().destroy();
            assertThat(readsUntil(lines, "The relay is closed")).isTrue();
        } finally {
            shop.destroyForcibly();
        }
    }

    private static Process start() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Shop.class.getName(),
                "--logging.level.dev.postrider=info",
                "--postrider.schema-mode=create",
                "--postrider.destinations.log.type=log"));
        // What is on the class path for other tests stays off, as in this process.
        System.getProperties().forEach((name, value) -> {
            if (name.toString().startsWith("spring.")) {
                command.add("--" + name + "=" + value);
            }
        });
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private boolean readsUntil(BufferedReader lines, String text) {
        return Stream.generate(() -> read(lines))
                .takeWhile(line -> line != null)
                .peek(output::add)
                .anyMatch(line -> line.contains(text));
    }

    private static String read(BufferedReader lines) {
        try {
            return lines.readLine();
        } catch (IOException ended) {
            return null;
        }
    }
}
