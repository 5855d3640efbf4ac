package dev.postrider.testservers;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Copies the data directory of a running PostgreSQL as the start of a standby. It does what {@code pg_basebackup} does,
 * which the Maven artifacts lack: announce a backup, copy the files, ask for the label.
 */
final class PostgresBackup {
    private final DatabaseServer primary;
    private final Path primaryData;

    PostgresBackup(DatabaseServer primary, Path primaryData) {
        this.primary = primary;
        this.primaryData = primaryData;
    }

    /** Copies to a directory that does not exist yet; the primary keeps all later WAL for the slot. */
    void takeTo(Path data, String slot) {
        try (Connection connection = primary.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_create_physical_replication_slot('" + slot + "', true)");
            boolean isOld = connection.getMetaData().getDatabaseMajorVersion() < 15;
            statement.execute(
                    isOld
                            ? "SELECT pg_start_backup('standby', true, false)"
                            : "SELECT pg_backup_start('standby', true)");
            Files.walkFileTree(primaryData, new Copy(primaryData, data));
            String stop = isOld ? "pg_stop_backup(false, false)" : "pg_backup_stop(false)";
            try (ResultSet stopped = statement.executeQuery("SELECT labelfile FROM " + stop)) {
                stopped.next();
                Files.writeString(data.resolve("backup_label"), stopped.getString(1));
            }
            Files.writeString(data.resolve("standby.signal"), "");
        } catch (SQLException | IOException failed) {
            throw new ServerUnavailableException("cannot copy " + primary + ": " + failed.getMessage(), failed);
        }
    }

    /** Copies a tree in which files come and go, without what belongs to the running server alone. */
    private static final class Copy extends SimpleFileVisitor<Path> {
        private final Path from;
        private final Path to;

        Copy(Path from, Path to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
            if (directory.getParent().endsWith("pg_replslot")) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            Path target = target(directory);
            Files.createDirectory(target);
            // PostgreSQL insists on it.
            Files.setPosixFilePermissions(target, Files.getPosixFilePermissions(directory));
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (file.getFileName().toString().startsWith("postmaster.")) {
                return FileVisitResult.CONTINUE;
            }
            try {
                Files.copy(file, target(file));
            } catch (NoSuchFileException gone) {
                return FileVisitResult.CONTINUE;
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        private Path target(Path file) {
            return to.resolve(from.relativize(file).toString());
        }
    }
}
