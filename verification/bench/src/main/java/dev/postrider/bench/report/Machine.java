package dev.postrider.bench.report;

import static java.util.Objects.requireNonNull;

import com.sun.management.OperatingSystemMXBean;
import dev.postrider.bench.measure.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What a figure depends on besides the code.
 *
 * @param version of Postrider
 * @param commit of the checkout that runs; empty if there is none
 */
public record Machine(
        String version, String commit, String java, String system, String cpu, int processors, long memoryMegabytes) {

    private static final Path CPU_FACTS = Path.of("/proc/cpuinfo");

    /** This machine. */
    public static Machine here(String version) {
        return new Machine(
                version,
                Checkout.commit(),
                System.getProperty("java.vendor") + " " + Runtime.version(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                cpuModel(),
                Runtime.getRuntime().availableProcessors(),
                memory());
    }

    private static String cpuModel() {
        if (!Files.isReadable(CPU_FACTS)) {
            return System.getProperty("os.arch");
        }
        try (Stream<String> lines = Files.lines(CPU_FACTS)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static long memory() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize() >> 20;
    }

    /** The result with these facts and the present moment. */
    Result describe(Result result) {
        return result.with("postrider", version)
                .with("commit", commit)
                .with("java", java)
                .with("system", system)
                .with("cpu", cpu)
                .with("processors", processors)
                .with("memory_mb", memoryMegabytes)
                .with(
                        "measured_at",
                        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    /** The working copy from which this program was built, if it lies in one. Stateless. */
    private static final class Checkout {

        private Checkout() {}

        /** Its commit, with a mark if files have changed since; empty if that cannot be told. */
        static String commit() {
            CodeSource source = Checkout.class.getProtectionDomain().getCodeSource();
            try {
                return source == null
                        ? ""
                        : describe(requireNonNull(
                                Path.of(source.getLocation().toURI()).getParent()));
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
}
