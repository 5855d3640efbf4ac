package dev.postrider.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** README and guides show only code that was compiled and run, and only links that lead somewhere. */
class SnippetsTest {

    /** Of a module with our parent, or of one without. */
    private static final Pattern MODULE_ARTIFACT = Pattern.compile(
            "(?m)(?:</parent>|^ {2}<groupId>dev.postrider</groupId>)\\s*<artifactId>(.*?)</artifactId>");

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
    private static final String START = "operate/cli/src/test/java/dev/postrider/cli/docs/GettingStartedTest.java";

    private static final String MOVING =
            "stores/existing/src/test/java/dev/postrider/store/existing/MovingGuideIT.java";

    /** Each document, and the test from which its code is cut, unless the mark names another. */
    private static final Map<String, String> SOURCES = Map.ofEntries(
            Map.entry("README.md", START),
            Map.entry("docs/getting-started.md", START),
            Map.entry("docs/guides/bus.md", "events/bus/src/test/java/dev/postrider/bus/BusGuideTest.java"),
            Map.entry(
                    "docs/guides/rabbitmq.md",
                    "destinations/rabbitmq/src/test/java/dev/postrider/destination/rabbitmq/RabbitmqGuideTest.java"),
            Map.entry(
                    "docs/guides/rabbitmq-receiver.md",
                    "destinations/rabbitmq/src/test/java/dev/postrider/destination/rabbitmq/RabbitmqReceiverGuideIT.java"),
            Map.entry(
                    "docs/guides/nats.md",
                    "destinations/nats/src/test/java/dev/postrider/destination/nats/NatsGuideTest.java"),
            Map.entry(
                    "docs/guides/cleanup.md", "core/src/test/java/dev/postrider/maintenance/MaintenanceGuideTest.java"),
            Map.entry(
                    "docs/guides/kafka.md",
                    "destinations/kafka/src/test/java/dev/postrider/destination/kafka/KafkaGuideIT.java"),
            Map.entry(
                    "docs/guides/kafka-receiver.md",
                    "destinations/kafka/src/test/java/dev/postrider/destination/kafka/KafkaReceiverGuideIT.java"),
            Map.entry(
                    "docs/guides/nats-receiver.md",
                    "destinations/nats/src/test/java/dev/postrider/destination/nats/NatsReceiverGuideIT.java"),
            Map.entry(
                    "docs/guides/tracing.md",
                    "operate/opentelemetry/src/test/java/dev/postrider/opentelemetry/TracingGuideTest.java"),
            Map.entry(
                    "docs/guides/spring.md", "spring/tests/src/test/java/dev/postrider/springtests/SpringGuideIT.java"),
            Map.entry("docs/guides/moving-from-protoevent-go.md", MOVING),
            Map.entry("docs/guides/moving-from-velmie-outbox.md", MOVING),
            Map.entry("docs/guides/moving-from-go-outbox.md", MOVING),
            Map.entry("docs/guides/moving-from-riptide.md", MOVING),
            Map.entry("docs/guides/moving-from-overtonx-outbox.md", MOVING),
            Map.entry("docs/guides/inbox.md", "events/bus/src/test/java/dev/postrider/bus/InboxGuideTest.java"));

    private static final Pattern JAVA_BLOCK = Pattern.compile("(?m)^(.*)\\n```java\\n((?s:.*?))^```$");
    private static final Pattern VERSION = Pattern.compile("<version>(.*?)</version>");
    private static final Pattern OUR_VERSION =
            Pattern.compile("<artifactId>postrider[a-z-]*</artifactId>\\s*<version>(.*?)</version>");
    private static final Pattern BOOT_VERSION =
            Pattern.compile("<artifactId>spring-boot-starter-parent</artifactId>\\s*<version>(.*?)</version>");
    private static final Pattern TESTED_BOOT_VERSION =
            Pattern.compile("<spring-boot.version>(.*?)</spring-boot.version>");
    private static final Pattern MARK = Pattern.compile("<!-- snippet: (\\S+)(?: of (\\S+))? -->");
    private static final Pattern TEST_NAME = Pattern.compile("`(\\w+(?:IT|Test|Contract))`");
    private static final Pattern RELATIVE_LINK = Pattern.compile("\\]\\((?!https?:)([^)#]+)[^)]*\\)");

    @ParameterizedTest
    @MethodSource("javaBlocks")
    void showsJavaExactlyAsItWasCompiled(String document, String lineBefore, String code) {
        var mark = MARK.matcher(lineBefore);

        assertThat(mark.matches())
                .as("in %s a line <!-- snippet: name --> stands before:%n%s", document, code)
                .isTrue();
        assertThat(code)
                .as("snippet %s in %s", mark.group(1), document)
                .isEqualTo(region(Objects.requireNonNullElse(mark.group(2), SOURCES.get(document)), mark.group(1)));
    }

    static Stream<String> documents() {
        return SOURCES.keySet().stream().sorted();
    }

    static Stream<Arguments> javaBlocks() {
        return documents()
                .flatMap(document -> JAVA_BLOCK
                        .matcher(read(document))
                        .results()
                        .map(block -> Arguments.of(document, block.group(1), block.group(2))));
    }

    /** Everything that is written for people. */
    static List<String> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT, 3)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .map(file -> ROOT.relativize(file).toString())
                    .filter(page -> !page.contains("target"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksOnlyToFilesThatExist(String page) {
        Path directory = ROOT.resolve(page).getParent();

        assertThat(RELATIVE_LINK.matcher(read(page)).results().map(link -> link.group(1)))
                .allSatisfy(link -> assertThat(directory.resolve(link)).exists());
    }

    @ParameterizedTest
    @MethodSource("documents")
    void showsTheModulesInThisVersion(String document) throws IOException {
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        String version = first(VERSION, pom);

        assertThat(OUR_VERSION.matcher(read(document)).results().map(found -> found.group(1)))
                .allMatch(version::equals);
        assertThat(BOOT_VERSION.matcher(read(document)).results().map(found -> found.group(1)))
                .allMatch(first(TESTED_BOOT_VERSION, pom)::equals);
    }

    @Test
    void showsEveryModuleOfTheBuild() throws IOException {
        String readme = read("README.md");

        assertThat(Pattern.compile("<module>(.*?)</module>")
                        .matcher(Files.readString(ROOT.resolve("pom.xml")))
                        .results()
                        .map(module -> module.group(1)))
                .isNotEmpty()
                .allSatisfy(module -> {
                    String artifact = first(MODULE_ARTIFACT, read(module + "/pom.xml"));
                    assertThat(readme).contains("`" + artifact + "`");
                });
    }

    @Test
    void namesOnlyTestsThatExist() throws IOException {
        Set<String> classes;
        try (Stream<Path> files = Files.walk(ROOT)) {
            classes = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .collect(Collectors.toSet());
        }

        assertThat(TEST_NAME.matcher(read("docs/guarantees.md")).results().map(name -> name.group(1)))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(classes).contains(name));
    }

    private static String region(String source, String name) {
        Pattern region = Pattern.compile("(?m)^ *// snippet: " + Pattern.quote(name) + "\\n((?s:.*?))^ *// end$");
        // Without the last line break, which would count as a line that is not indented.
        return first(region, read(source)).stripTrailing().stripIndent() + "\n";
    }

    private static String first(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .findFirst()
                .map(found -> found.group(1))
                .orElseThrow();
    }

    private static String read(String document) {
        try {
            return Files.readString(ROOT.resolve(document));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
