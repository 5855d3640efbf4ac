package dev.postrider.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command line as users start it, by the launcher, in a process of its own; killed at the end whatever happens. */
final class RelayProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(180);
    private static final Pattern PORT = Pattern.compile("answering on port (\\d+)");

    private final Process process;
    private final Path out;
    private final Path err;

    private RelayProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    static RelayProcess start(Path directory, Map<String, String> environment, String... arguments) {
        try {
            Path out = Files.createTempFile(directory, "out", ".txt");
            Path err = Files.createTempFile(directory, "err", ".txt");
            ProcessBuilder builder = CheckoutLauncher.command(arguments);
            // A build under nohup ignores SIGHUP, and so would every process that it starts.
            List<String> command = new ArrayList<>(List.of("env", "--default-signal=HUP"));
            command.addAll(builder.command());
            builder.command(command);
            builder.environment().putAll(environment);
            builder.redirectOutput(out.toFile()).redirectError(err.toFile());
            return new RelayProcess(builder.start(), out, err);
        } catch (IOException unexpected) {
            throw new UncheckedIOException(unexpected);
        }
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, UTF_8);
        } catch (IOException unexpected) {
            throw new UncheckedIOException(unexpected);
        }
    }

    /** Waits for the end. */
    int exitCode() {
        try {
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as(err())
                    .isTrue();
            return process.exitValue();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** SIGHUP. */
    void hangUp() {
        try {
            assertThat(new ProcessBuilder("kill", "-HUP", Long.toString(process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Where it answers over HTTP; 0 while it does not. */
    int port() {
        Matcher port = PORT.matcher(err());
        return port.find() ? Integer.parseInt(port.group(1)) : 0;
    }

    /** Status and body, as in {@code 200 {"status":"up"}}; empty while nobody answers. */
    String get(String path) {
        int port = port();
        if (port == 0) {
            return "";
        }
        try {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                    .timeout(Duration.ofSeconds(20))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body().strip();
        } catch (ConnectException notYet) {
            return "";
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Until it holds; fails with what the process has said. */
    void await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(err() + out()).isLessThan(end);
            try {
                Thread.sleep(20);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        exitCode();
    }
}
