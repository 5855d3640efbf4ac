package dev.postrider.bench.scenario;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.store.BenchOutbox;
import dev.postrider.service.config.Secret;
import dev.postrider.service.database.DatabaseSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** Drains an outbox in a process of its own, which has little memory. Stateless. */
final class SmallHeap {

    static final int MEGABYTES = 128;

    private SmallHeap() {}

    static Measurement drain(BenchOutbox outbox, int messages) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + MEGABYTES + "m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SmallHeapRelay.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment(outbox, messages));
        Process process = builder.start();
        try {
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            int status = process.waitFor();
            if (status != 0) {
                throw new BenchException("The relay with %d MB ended with status %d".formatted(MEGABYTES, status));
            }
            return measured(answer.substring(answer.lastIndexOf('\n') + 1).split(" "), messages);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Measurement measured(String[] words, int messages) {
        Measurement line = Measurement.of("postrider", Double.parseDouble(words[0]), messages, Long.parseLong(words[1]))
                .with("heap_mb", MEGABYTES)
                .with("relay_heap_mb", Long.parseLong(words[2]));
        return words.length < 4 ? line : line.with("relay_rss_mb", Long.parseLong(words[3]));
    }

    /** Not on the command line, where everybody could read the password. */
    private static Map<String, String> environment(BenchOutbox outbox, int messages) {
        DatabaseSettings database = outbox.database().settings();
        return Map.of(
                SmallHeapRelay.URL, database.url(),
                SmallHeapRelay.USER, database.user().orElse(""),
                SmallHeapRelay.PASSWORD, database.password().map(Secret::reveal).orElse(""),
                SmallHeapRelay.PREFIX, outbox.prefix(),
                SmallHeapRelay.MESSAGES, Integer.toString(messages));
    }
}
