package dev.postrider.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs every scenario with few messages: that it works, not how fast. */
class BenchmarksIT {

    @ParameterizedTest
    @CsvSource({
        "drain, POSTGRES",
        "drain, MYSQL",
        "drain, MARIADB",
        "enqueue, POSTGRES",
        "enqueue, MYSQL",
        "skip-locked, POSTGRES",
        "skip-locked, MYSQL",
        "mixed, POSTGRES",
        "mixed, MARIADB",
        "old-snapshot, POSTGRES",
        "backlog, POSTGRES",
        "backlog, MARIADB",
        "memory, POSTGRES",
        "memory, MYSQL",
        "writers, POSTGRES",
        "writers, MYSQL",
        "kafka, POSTGRES",
        "kafka-fenced, POSTGRES",
        "rabbitmq, POSTGRES",
        "nats, POSTGRES",
    })
    void delivers(String scenario, BenchStore store) throws Exception {
        List<String> lines = new ArrayList<>();

        Benchmarks.run(scenario, new Settings(store, 200, 100, 1, true), lines::add);

        assertThat(lines).isNotEmpty().allMatch(line -> line.contains("\"scenario\":\"" + scenario + "\""));
        assertThat(lines).anyMatch(line -> line.contains("\"subject\":\"postrider\""));
    }
}
