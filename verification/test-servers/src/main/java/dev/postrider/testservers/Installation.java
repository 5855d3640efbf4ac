package dev.postrider.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The programs of a server on this machine.
 *
 * @param origin where they come from, for people
 * @param home the directory above {@code bin} and {@code share}
 * @param program the server itself
 * @param runner what goes before every command
 */
record Installation(String origin, Path home, Path program, Runner runner) {

    /** The command line of a program of this installation. */
    List<String> command(Path someProgram, List<String> arguments) {
        var command = new ArrayList<>(runner.prefix());
        command.add(someProgram.toString());
        command.addAll(arguments);
        return command;
    }

    /** Differs between versions and between users who run them, so that nothing made with one is used with another. */
    String fingerprint() {
        try {
            long size = Files.size(program);
            long time = Files.getLastModifiedTime(program).toMillis();
            return "%s-%x"
                    .formatted(program.getFileName(), 31 * (31 * size + time) + home.hashCode() + runner.hashCode());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
