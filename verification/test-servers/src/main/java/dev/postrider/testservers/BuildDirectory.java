package dev.postrider.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code target/servers} at the root of the repository: one directory per owner, in it one per server. At the first use
 * in a JVM it clears up what earlier owners left behind and makes sure that a watchdog looks after this one.
 */
final class BuildDirectory {
    private static @Nullable BuildDirectory current;

    private final Path path;

    private BuildDirectory(Path path) {
        this.path = path;
    }

    static synchronized BuildDirectory current() {
        if (current == null) {
            current = open();
        }
        return current;
    }

    /** The root of the repository, in which {@code .mvn} lies. */
    static Path root() {
        for (Path path = Path.of("").toAbsolutePath(); path != null; path = path.getParent()) {
            if (Files.isDirectory(path.resolve(".mvn"))) {
                return path;
            }
        }
        throw new IllegalStateException("Run tests inside the repository: no directory above has .mvn");
    }

    /** The directory of the server that all share under that name. */
    ServerDirectory shared(String name) {
        return ServerDirectory.create(path.resolve(name));
    }

    /** A new directory for a server of one test. */
    ServerDirectory fresh(String name) {
        try {
            return new ServerDirectory(Files.createTempDirectory(path, name + "-"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** The file that is locked while a shared server is looked for or started. */
    Path lockOf(String name) {
        return path.resolve(name + ".lock");
    }

    private static BuildDirectory open() {
        Path servers = root().resolve("target").resolve("servers");
        ProcessIdentity owner = Owner.find();
        Path own = servers.resolve(owner.pid() + "-" + owner.startedAt());
        return FileLocks.holding(servers.resolve("lock"), () -> {
            others(servers, own).forEach(BuildDirectory::clearUpIfDead);
            Watchdog.guard(owner, own);
            return new BuildDirectory(own);
        });
    }

    private static List<Path> others(Path servers, Path own) {
        try (Stream<Path> entries = Files.list(servers)) {
            return entries.filter(Files::isDirectory)
                    .filter(entry -> !entry.equals(own))
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void clearUpIfDead(Path directory) {
        String[] name = directory.getFileName().toString().split("-", 2);
        if (!new ProcessIdentity(Long.parseLong(name[0]), Long.parseLong(name[1])).isAlive()) {
            Watchdog.clearUp(directory);
        }
    }

    /** Finds the process with which the servers end: the Maven that runs these tests, or else this JVM. */
    private static final class Owner {
        private Owner() {}

        static ProcessIdentity find() {
            ProcessHandle self = ProcessHandle.current();
            ProcessHandle owner = Stream.iterate(
                            self.parent(), Optional::isPresent, parent -> parent.flatMap(ProcessHandle::parent))
                    .flatMap(Optional::stream)
                    .filter(Owner::isMaven)
                    .findFirst()
                    .orElse(self);
            return ProcessIdentity.of(owner.pid());
        }

        private static boolean isMaven(ProcessHandle process) {
            return commandLine(process).contains("org.codehaus.plexus.classworlds.launcher.Launcher");
        }

        private static String commandLine(ProcessHandle process) {
            try {
                // The JDK gives up on long command lines.
                return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
            } catch (IOException noProc) {
                return process.info().commandLine().orElse("");
            }
        }
    }
}
