package dev.postrider.bench.scenario;

import dev.postrider.bench.measure.Round;
import dev.postrider.bench.store.RelayDrain;
import dev.postrider.service.config.Secret;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.store.jdbc.SchemaMode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The process of {@link SmallHeap}: drains an outbox and prints the rate, how many messages arrived, and the most megabytes that heap
 * and process had; the last where the system tells.
 */
final class SmallHeapRelay {

    static final String URL = "POSTRIDER_BENCH_URL";
    static final String USER = "POSTRIDER_BENCH_USER";
    static final String PASSWORD = "POSTRIDER_BENCH_PASSWORD";
    static final String PREFIX = "POSTRIDER_BENCH_PREFIX";
    static final String MESSAGES = "POSTRIDER_BENCH_MESSAGES";

    private SmallHeapRelay() {}

    /** Takes no arguments: everything is in the environment. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (OutboxDatabase database = OutboxDatabase.openOrCreate(settings())) {
            StoreSettings store = new StoreSettings().prefix(System.getenv(PREFIX));
            long messages = Long.parseLong(System.getenv(MESSAGES));
            Round round = RelayDrain.drain(database.tables(store).open(SchemaMode.NONE), messages);
            print("%s %d %d %s%n".formatted(round.rate(), round.delivered(), heapMegabytes(), processMegabytes()));
        }
    }

    private static DatabaseSettings settings() {
        DatabaseSettings.Builder settings =
                new DatabaseSettings.Builder().url(System.getenv(URL)).poolSize(16);
        if (!System.getenv(USER).isEmpty()) {
            settings.user(System.getenv(USER));
        }
        if (!System.getenv(PASSWORD).isEmpty()) {
            settings.password(Secret.of(System.getenv(PASSWORD)));
        }
        return settings.build();
    }

    /** What its parts had at most, if not all at once. */
    private static long heapMegabytes() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                        .filter(pool -> pool.getType() == MemoryType.HEAP)
                        .mapToLong(pool -> pool.getPeakUsage().getUsed())
                        .sum()
                >> 20;
    }

    private static String processMegabytes() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return "";
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .map(line -> Long.toString(Long.parseLong(line.replaceAll("\\D", "")) >> 10))
                .findFirst()
                .orElse("");
    }

    private static void print(String line) throws IOException {
        try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
            out.write(line.getBytes(StandardCharsets.UTF_8));
        }
    }
}
