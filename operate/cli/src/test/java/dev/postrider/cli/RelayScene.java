package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.spi.LaneLeases.LaneState;
import dev.postrider.spi.OutboxStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** A database with an outbox, a configuration file, and the file into which relays deliver. */
final class RelayScene {

    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");
    private static final Pattern KEY = Pattern.compile("\"key\":\"([^\"]+)\"");

    private final Path directory;
    private final DataSource dataSource;
    private final OutboxStore store;
    private final Map<String, List<String>> written = new LinkedHashMap<>();

    RelayScene(Path directory, DataSource dataSource, OutboxStore store) {
        this.directory = directory;
        this.dataSource = dataSource;
        this.store = store;
    }

    /** A configuration with this section {@code database}, this lease, and more lines for the outbox. */
    Path config(String database, String lease, String more) {
        try {
            return Files.writeString(
                    directory.resolve("postrider.yaml"), """
                    http: {port: 0}
                    destinations:
                      out: {type: file, path: "%s"}
                    outboxes:
                      orders:
                        database: {%s, connect-timeout: 1s}
                        relay: {lease: %s, max-poll-interval: 50ms, max-in-flight: 100}
                    %s
                    """.formatted(delivered(), database, lease, more.indent(4)));
        } catch (IOException unexpected) {
            throw new UncheckedIOException(unexpected);
        }
    }

    private Path delivered() {
        return directory.resolve("delivered.jsonl");
    }

    OutboxStore store() {
        return store;
    }

    /** Writes without a pause until the task is done; returns when the last transaction has ended. */
    void writeDuring(Runnable task) {
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            while (!isOver.get()) {
                write(100);
            }
        });
        try {
            task.run();
        } finally {
            isOver.set(true);
            writer.join();
        }
    }

    /** Writes messages in transactions of ten, of twenty keys. */
    void write(int count) {
        Outbox outbox = Outbox.withDefaults(store);
        for (int start = 0; start < count; start += 10) {
            int first = start;
            outbox.inTransaction(dataSource, tx -> {
                for (int i = first; i < Math.min(first + 10, count); i++) {
                    var message = outbox.message("orders")
                            .key("key-" + i % 20)
                            .type("test")
                            .json("{}")
                            .build();
                    tx.enqueue(message);
                    written.computeIfAbsent("key-" + i % 20, key -> new ArrayList<>())
                            .add(message.id().toString());
                }
            });
        }
    }

    int writtenCount() {
        return written.values().stream().mapToInt(List::size).sum();
    }

    /** Whole lines only: the relay may be in the middle of one. */
    List<String> deliveredLines() {
        try {
            String text = Files.exists(delivered()) ? Files.readString(delivered()) : "";
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        } catch (IOException unexpected) {
            throw new UncheckedIOException(unexpected);
        }
    }

    int distinctDelivered() {
        Set<String> ids = new HashSet<>();
        deliveredLines().forEach(line -> ids.add(field(ID, line)));
        return ids.size();
    }

    /** Nothing is lost, and the first deliveries of each key are in the order in which they were written. */
    void assertDeliveredInOrder() {
        Map<String, List<String>> first = new HashMap<>();
        Set<String> seen = new HashSet<>();
        for (String line : deliveredLines()) {
            if (seen.add(field(ID, line))) {
                first.computeIfAbsent(field(KEY, line), key -> new ArrayList<>())
                        .add(field(ID, line));
            }
        }
        assertThat(first).isEqualTo(written);
    }

    void assertNoDuplicates() {
        assertThat(deliveredLines()).hasSize(distinctDelivered());
    }

    long ownedLanes() {
        return store.leases().lanes().stream().filter(LaneState::isOwned).count();
    }

    private static String field(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        assertThat(matcher.find()).as(line).isTrue();
        return matcher.group(1);
    }
}
