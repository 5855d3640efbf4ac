package dev.postrider.store.mysql;

import dev.postrider.spi.OutboxRow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/** What was delivered, by key, in order. Thread-safe. */
final class Deliveries {

    private final Map<String, List<Long>> byKey = new ConcurrentHashMap<>();

    void add(OutboxRow row) {
        OutboxRow.Hot hot = (OutboxRow.Hot) row;
        long n = Long.parseLong(new String(hot.message().payload(), StandardCharsets.UTF_8));
        byKey.compute(hot.key().orElseThrow(), (key, list) -> {
            List<Long> all = list == null ? new ArrayList<>() : list;
            all.add(n);
            return all;
        });
    }

    int count() {
        return byKey.values().stream().mapToInt(List::size).sum();
    }

    /** What is wrong, one line for each key. */
    List<String> faults(Map<String, Long> committed) {
        List<String> faults = new ArrayList<>();
        committed.forEach((key, count) -> {
            List<Long> expected = LongStream.rangeClosed(1, count).boxed().toList();
            List<Long> delivered = byKey.getOrDefault(key, List.of());
            if (!delivered.equals(expected)) {
                faults.add("%s: committed 1 to %d, delivered %s".formatted(key, count, delivered));
            }
        });
        byKey.keySet().stream()
                .filter(key -> !committed.containsKey(key))
                .forEach(key -> faults.add(key + ": delivered, but never committed"));
        return faults;
    }
}
