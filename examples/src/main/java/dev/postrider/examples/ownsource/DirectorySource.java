package dev.postrider.examples.ownsource;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.source.MessageSource;
import dev.postrider.spi.DeadReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of a directory, lowest name first: {@code number_order_type}. Delivered files are deleted, others are moved to
 * {@code rejected}.
 */
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
    public MessageId id(Path file) {
        return MessageId.of(file.getFileName().toString());
    }

    @Override
    public OutboxMessage toMessage(Path file) {
        String[] parts = file.getFileName().toString().split("_");
        return OutboxMessage.builder("orders")
                .key(parts[1])
                .type(parts[2])
                .json(read(file))
                .build();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
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
