package dev.postrider.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that may hold payloads: nobody but their owner reads them. Stateless. */
public final class PrivateFile {

    private PrivateFile() {}

    /**
     * Makes an empty file that only its owner may read and write, where the file system knows such a thing.
     *
     * @throws java.nio.file.FileAlreadyExistsException if there is a file of that name, which is left as it is
     */
    public static void create(Path file) throws IOException {
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (UnsupportedOperationException notPosix) {
            Files.createFile(file);
        }
    }
}
