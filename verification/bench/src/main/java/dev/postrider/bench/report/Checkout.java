package dev.postrider.bench.report;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.concurrent.TimeUnit;

/** The working copy from which this program was built, if it lies in one. Stateless. */
final class Checkout {

    private Checkout() {}

    /** Its commit, with a mark if files have changed since; empty if that cannot be told. */
    static String commit() {
        CodeSource source = Checkout.class.getProtectionDomain().getCodeSource();
        try {
            return source == null
                    ? ""
                    : describe(
                            requireNonNull(Path.of(source.getLocation().toURI()).getParent()));
        } catch (IOException | URISyntaxException unknown) {
            return "";
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private static String describe(Path directory) throws IOException, InterruptedException {
        Process git = new ProcessBuilder(
                        "git", "-C", directory.toString(), "describe", "--always", "--dirty", "--abbrev=12")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return git.waitFor(5, TimeUnit.SECONDS) && git.exitValue() == 0 ? answer : "";
    }
}
