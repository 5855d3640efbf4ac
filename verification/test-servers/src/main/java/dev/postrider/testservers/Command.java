package dev.postrider.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs programs to their end. */
final class Command {
    private Command() {}

    /** Runs a program and returns what it printed. Fails if the program fails. */
    static String run(String... command) {
        return run(List.of(command));
    }

    /** Runs a program and returns what it printed. Fails if the program fails. */
    static String run(List<String> command) {
        return run(command, InputStream.nullInputStream());
    }

    /** Runs a program with that input and returns what it printed. Fails if the program fails. */
    static String run(List<String> command, InputStream input) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            try (var stdin = process.getOutputStream()) {
                input.transferTo(stdin);
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new ServerUnavailableException(
                        String.join(" ", command) + " ended with " + process.exitValue() + ": " + output.strip());
            }
            return output;
        } catch (IOException failed) {
            throw new ServerUnavailableException("cannot run " + command.get(0) + ": " + failed.getMessage(), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ServerUnavailableException("interrupted during " + command.get(0), interrupted);
        }
    }

    /** Runs a script of ours, shows its messages, and returns what it wrote to its standard output. */
    static String runShowingMessages(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new ServerUnavailableException(String.join(" ", command) + " ended with " + process.exitValue());
            }
            return output;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ServerUnavailableException("interrupted during " + command.get(0), interrupted);
        }
    }

    /** Whether a program exists and succeeds. */
    static boolean succeeds(List<String> command) {
        try {
            run(command);
            return true;
        } catch (ServerUnavailableException failed) {
            return false;
        }
    }
}
