package dev.postrider.examples.ownsource;

import dev.postrider.source.MessageSource;
import dev.postrider.spi.DeadReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of a directory, oldest name first. Delivered files are deleted, others are moved to {@code rejected}. */
final class DirectorySource implements MessageSource<Path> {

    private final Path directory;

    DirectorySource(Path directory) {
        this.directory = directory;
    }

    @Override
    public List<Path> fetch(int limit) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Files::isRegularFile).sorted().limit(limit).toList();
        }
    }

    @Override
    public void acknowledge(List<Path> files) throws IOException {
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }

    @Override
    public void giveUp(Path file, DeadReason reason, String error) throws IOException {
        Path rejected = Files.createDirectories(directory.resolve("rejected"));
        Files.move(file, rejected.resolve(file.getFileName()));
    }
}
