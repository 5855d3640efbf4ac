package dev.postrider.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Keeps two processes, and two threads of one, from doing the same thing at once. */
final class FileLocks {
    /** A file lock belongs to the whole JVM, so its threads need a lock among themselves. */
    private static final ReentrantLock WITHIN_JVM = new ReentrantLock();

    private FileLocks() {}

    static <T> T holding(Path file, Supplier<T> action) {
        WITHIN_JVM.lock();
        try {
            Files.createDirectories(file.getParent());
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var lock = channel.lock()) {
                if (!lock.isValid()) {
                    throw new IllegalStateException("Cannot lock " + file);
                }
                return action.get();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } finally {
            WITHIN_JVM.unlock();
        }
    }
}
