package dev.postrider.bench.suite;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.store.BenchDatabase;
import dev.postrider.servers.ServerProfile;
import dev.postrider.servers.Servers;
import dev.postrider.servers.StartedDatabase;
import dev.postrider.service.database.DatabaseSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A database that was found or started. Close it, to end what was started for it. Not thread-safe. */
final class BenchSite implements AutoCloseable {

    private final BenchDatabase database;
    private final String label;
    private final OptionalLong processId;
    private final Runnable end;

    private BenchSite(BenchDatabase database, String label, OptionalLong processId, Runnable end) {
        this.database = database;
        this.label = label;
        this.processId = processId;
        this.end = end;
    }

    /**
     * Opens a database.
     *
     * @param store a name that can be started, {@code h2}, or a JDBC address
     * @param account completes the settings of a database that was given by its address
     */
    static BenchSite open(String store, UnaryOperator<DatabaseSettings.Builder> account, boolean isFast) {
        if (store.startsWith("jdbc:")) {
            return given(
                    account.apply(new DatabaseSettings.Builder().url(store)).build());
        }
        return store.equals("h2") ? inFile() : started(store, isFast);
    }

    private static BenchSite given(DatabaseSettings settings) {
        BenchDatabase database = BenchDatabase.open(settings);
        return new BenchSite(database, database.label(), OptionalLong.empty(), () -> {});
    }

    /** H2 runs in this process and needs no server. */
    private static BenchSite inFile() {
        try {
            Path directory = Files.createTempDirectory("postrider-bench-");
            String url = "jdbc:h2:file:" + directory.resolve("bench");
            return new BenchSite(
                    BenchDatabase.open(new DatabaseSettings.Builder().url(url).build()),
                    "h2",
                    OptionalLong.empty(),
                    () -> delete(directory));
        } catch (IOException failed) {
            throw new BenchException("Could not make a directory for H2", failed);
        }
    }

    private static BenchSite started(String name, boolean isFast) {
        StartedDatabase started = Servers.startDatabase(name, isFast ? ServerProfile.RELAXED : ServerProfile.ROOMY);
        try {
            DatabaseSettings settings = DatabaseSettings.of(started.url(), started.user(), started.password());
            return new BenchSite(
                    BenchDatabase.open(settings), name, started.server().processId(), started::close);
        } catch (RuntimeException failed) {
            started.close();
            throw failed;
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new BenchException("Please delete " + directory, failed);
        }
    }

    BenchDatabase database() {
        return database;
    }

    /** Of the server, if it was started here. */
    OptionalLong processId() {
        return processId;
    }

    /** As in results. */
    String label() {
        return label;
    }

    @Override
    public void close() {
        database.close();
        end.run();
    }
}
