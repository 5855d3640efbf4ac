package dev.postrider.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Kafka from its Maven artifacts, in a JVM of its own: it can be killed, and its libraries meet none of ours. */
final class KafkaProgram {
    private static final String CLASS_PATH = "kafka-classpath";

    private KafkaProgram() {}

    /** The Java that runs it; its class path was noted when this module was built. */
    static Installation fromMaven() {
        Path home = Path.of(System.getProperty("java.home"));
        String version = classPath().replaceAll("(?s).*?kafka_2.13-([0-9.]+)\\.jar.*", "$1");
        return new Installation("of kafka_2.13-" + version, home, home.resolve("bin/java"), Runner.PLAIN);
    }

    static List<String> command(Installation java, String mainClass, String... arguments) {
        // Quick to start rather than quick in the long run.
        var words = new ArrayList<>(List.of("-Xmx320m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        words.addAll(List.of("-cp", classPath(), mainClass));
        words.addAll(List.of(arguments));
        return java.command(java.program(), words);
    }

    private static String classPath() {
        try (InputStream resource = KafkaProgram.class.getResourceAsStream(CLASS_PATH)) {
            if (resource == null) {
                throw new ServerUnavailableException(
                        "the class path of Kafka was not noted; build test-servers with Maven first");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
