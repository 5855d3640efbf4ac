package dev.postrider.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the process with which the servers end: the Maven that runs these tests, or else this JVM. */
final class Owner {
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
