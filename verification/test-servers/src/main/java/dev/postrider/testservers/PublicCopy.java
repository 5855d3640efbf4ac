package dev.postrider.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Copies of programs in a directory that everybody may read and only the current user may change. */
final class PublicCopy {
    private static final Path DIRECTORY = Path.of("/var/tmp/postrider-programs-of-root");
    private static final Set<PosixFilePermission> PUBLIC = PosixFilePermissions.fromString("rwxr-xr-x");

    private PublicCopy() {}

    static Path of(Path programs) {
        requireOwnDirectory();
        Path copy = DIRECTORY.resolve(programs.getFileName());
        return FileLocks.holding(DIRECTORY.resolve("lock"), () -> {
            if (!Files.exists(copy)) {
                fill(programs, copy);
            }
            return copy;
        });
    }

    /** Anybody could have made a directory of that name, with other programs in it. */
    private static void requireOwnDirectory() {
        try {
            if (!Files.exists(DIRECTORY)) {
                Files.createDirectory(DIRECTORY, PosixFilePermissions.asFileAttribute(PUBLIC));
                Files.setPosixFilePermissions(DIRECTORY, PUBLIC);
            }
            boolean own = Files.isDirectory(DIRECTORY, LinkOption.NOFOLLOW_LINKS)
                    && Files.getOwner(DIRECTORY).getName().equals(System.getProperty("user.name"))
                    && Files.getPosixFilePermissions(DIRECTORY).equals(PUBLIC);
            if (!own) {
                throw new ServerUnavailableException(DIRECTORY + " belongs to somebody else; delete it");
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void fill(Path programs, Path copy) {
        Path unfinished = copy.resolveSibling("unfinished");
        Command.run("rm", "-rf", unfinished.toString());
        Command.run("cp", "-a", programs.toString(), unfinished.toString());
        Command.run("chmod", "-R", "a+rX", unfinished.toString());
        try {
            Files.move(unfinished, copy, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
