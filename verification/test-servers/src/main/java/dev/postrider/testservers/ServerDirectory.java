package dev.postrider.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;

/** The directory of one server: {@code data}, {@code log}, and {@code pid} or {@code container} for the watchdog. */
record ServerDirectory(Path path) {

    static ServerDirectory create(Path path) {
        try {
            Files.createDirectories(path);
            return new ServerDirectory(path);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    Path data() {
        return path.resolve("data");
    }

    Path log() {
        return path.resolve("log");
    }

    void writePid(ProcessIdentity server, String endSignal) {
        write("pid", server.pid() + " " + server.startedAt() + " " + endSignal + "\n");
    }

    void writeContainer(String name) {
        write("container", name + "\n");
    }

    /** Notes where the server listens, for other JVMs of the same build. */
    void writeAddress(int port, String origin) {
        write("address", "port=" + port + "\norigin=" + origin + "\n");
    }

    boolean hasAddress() {
        return Files.exists(path.resolve("address"));
    }

    Properties readAddress() {
        var address = new Properties();
        try (var reader = Files.newBufferedReader(path.resolve("address"))) {
            address.load(reader);
            return address;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Deletes the directory with everything in it. */
    void delete() {
        Command.run("rm", "-rf", path.toString());
    }

    private void write(String file, String content) {
        try {
            // In one step: the watchdog must never read half a number.
            Path whole = Files.writeString(path.resolve(file + ".new"), content);
            Files.move(whole, path.resolve(file), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
