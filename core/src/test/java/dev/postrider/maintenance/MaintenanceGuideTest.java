package dev.postrider.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.internal.SafeListeners;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What stands between "snippet" and "end" stands in docs/guides/cleanup.md as well; SnippetsTest compares. */
@Timeout(60)
class MaintenanceGuideTest {

    private final OutboxStore store = new InMemoryOutboxStore(1, new TestClock(), true);
    private final List<String> log = new ArrayList<>();

    @Test
    void deletesWhatIsOldAndKeepsPartitions() {
        // snippet: cleanup
        Cleanup cleanup = Cleanup.builder(store, Duration.ofDays(30))
                .includeDead(Duration.ofDays(90))
                .dedupRetention(Duration.ofDays(7))
                .build();
        cleanup.start();
        // end

        // snippet: partitions
        PartitionKeeper keeper = PartitionKeeper.builder(store, PartitionPeriod.DAY)
                .retention(Duration.ofDays(30))
                .build();
        keeper.start();
        // end

        // snippet: close
        keeper.close();
        cleanup.close();
        // end
        assertThat(store.maintenance().takeTask(Cleanup.TASK, "next", Duration.ofMinutes(1)))
                .isTrue();
    }

    @Test
    void saysThatAnotherInstanceIsAtIt() {
        Cleanup cleanup = Cleanup.builder(store, Duration.ofDays(30)).build();
        store.maintenance().takeTask(Cleanup.TASK, "another", Duration.ofMinutes(1));

        // snippet: cleanup-once
        CleanupReport report = cleanup.runOnce();
        if (report.outcome() == RunOutcome.ELSEWHERE) {
            log("Another instance is at it");
        }
        // end

        assertThat(log).containsExactly("Another instance is at it");
    }

    @Test
    void tellsAListenerOfFailures() {
        // snippet: listener
        MaintenanceListener alarm = new MaintenanceListener() {
            @Override
            public void failed(String task, RuntimeException failure) {
                log("Maintenance task " + task + " failed: " + failure.getMessage());
            }
        };
        // end

        SafeListeners.of(MaintenanceListener.class, List.of(alarm)).failed("cleanup", new IllegalStateException("why"));
        assertThat(log).containsExactly("Maintenance task cleanup failed: why");
    }

    private void log(String line) {
        log.add(line);
    }
}
