package dev.postrider.bench.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.bench.measure.Span;
import dev.postrider.bench.measure.Usage;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class UsageMonitorTest {

    private static final Supplier<Map<String, Double>> LEVELS = () -> Map.of("pool_active", 3.0);

    @Test
    void seesWhatThisProcessUses() {
        try (UsageMonitor monitor = UsageMonitor.start(Map.of("database", OptionalLong.empty()), LEVELS)) {
            Usage usage = monitor.during(busy(ProcessHandle.current()));
            assertThat(usage.figures())
                    .containsKeys("client_cpu", "client_heap_mb", "client_gc_ms")
                    .containsEntry("pool_active", 3.0)
                    .doesNotContainKey("database_cpu");
            assertThat(usage.figures().get("client_cpu")).isPositive();
        }
    }

    @Test
    void seesTheChildrenOfAServer() throws IOException {
        Process server = new ProcessBuilder("sh", "-c", "(while :; do :; done) & wait").start();
        try (UsageMonitor monitor = UsageMonitor.start(Map.of("database", OptionalLong.of(server.pid())), LEVELS)) {
            ProcessHandle child = awaitChild(server);
            assertThat(monitor.during(busy(child)).figures().get("database_cpu"))
                    .isPositive();
        } finally {
            server.descendants().forEach(ProcessHandle::destroyForcibly);
            server.destroyForcibly();
        }
    }

    private static ProcessHandle awaitChild(Process server) {
        while (true) {
            var child = server.children().findFirst();
            if (child.isPresent()) {
                return child.get();
            }
            Thread.onSpinWait();
        }
    }

    /** Until the process has used a tenth of a second of a processor. */
    private static Span busy(ProcessHandle process) {
        long start = System.nanoTime();
        long used = cpuMillis(process);
        while (cpuMillis(process) < used + 100) {
            Thread.onSpinWait();
        }
        return Span.since(start);
    }

    private static long cpuMillis(ProcessHandle process) {
        return process.info().totalCpuDuration().orElseThrow().toMillis();
    }
}
