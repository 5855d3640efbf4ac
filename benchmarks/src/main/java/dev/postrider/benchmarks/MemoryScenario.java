package dev.postrider.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A relay in a process of its own with a heap of 128 MB drains a backlog that is much larger. */
final class MemoryScenario implements Scenario {

    @Override
    public List<Result> run(BenchOutbox outbox, Settings settings) throws Exception {
        outbox.seed(settings.messages(), settings.bytes());
        double rate = drainInSmallHeap(outbox, settings);
        outbox.requireEmpty();
        return List.of(Result.of("memory", settings.store(), "postrider", rate, settings.messages()));
    }

    private static double drainInSmallHeap(BenchOutbox outbox, Settings settings)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SmallHeap.class.getName(),
                        settings.store().name(),
                        outbox.database().jdbcUrl(),
                        outbox.database().user(),
                        outbox.database().password(),
                        Integer.toString(settings.messages()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.waitFor();
            if (status != 0) {
                throw new IllegalStateException("The relay with a small heap ended with status " + status);
            }
            return Double.parseDouble(answer.strip());
        } finally {
            process.destroyForcibly();
        }
    }
}
