package dev.postrider.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The script {@code postrider} of this checkout; what it runs is built once for all tests, by the script itself. */
final class CheckoutLauncher {

    private static final Path SCRIPT =
            Path.of("..", "..", "postrider").toAbsolutePath().normalize();

    private CheckoutLauncher() {}

    static Path script() {
        return SCRIPT;
    }

    /** Starts commands without a build. */
    static ProcessBuilder command(String... arguments) {
        Build.require();
        ProcessBuilder builder = new ProcessBuilder(SCRIPT.toString());
        builder.command().addAll(List.of(arguments));
        return builder;
    }

    /** Done when it is first needed. */
    private static final class Build {

        private static final String FAILURE = build();

        static void require() {
            assertThat(FAILURE).isEmpty();
        }

        /** With the repository of the build that runs these tests, which has all that is needed. */
        private static String build() {
            ProcessBuilder builder = new ProcessBuilder(SCRIPT.toString(), "--version").redirectErrorStream(true);
            builder.environment().put("POSTRIDER_MAVEN_OPTS", System.getProperty("launcher.maven.options", ""));
            try {
                Process process = builder.start();
                String said = new String(process.getInputStream().readAllBytes(), UTF_8);
                boolean isGood = process.waitFor(5, TimeUnit.MINUTES) && process.exitValue() == 0;
                return isGood ? "" : said;
            } catch (IOException unexpected) {
                throw new UncheckedIOException(unexpected);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }
    }
}
