package dev.postrider.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is generated compiles, whatever packages, files, messages and fields are called. */
@Timeout(300)
class OddNamesTest {

    private static final Path ODD =
            Path.of("src/test/resources/dev/postrider/codegen/odd").toAbsolutePath();

    @TempDir
    private Path directory;

    /** Each file says what is odd about it. */
    @Test
    void compiles() throws Exception {
        String printed = new Protoc(directory)
                .run(
                        ODD,
                        "_2d.proto",
                        "enum_inside.proto",
                        "event_everywhere.proto",
                        "fields.proto",
                        "service.proto",
                        "message_inside.proto",
                        "names.proto",
                        "v1/shared.proto",
                        "v2/shared.proto",
                        "service_beside.proto",
                        "postrider/v1/options.proto");

        assertThat(printed).isEmpty();
        JavaFiles.compile(directory);
        assertThat(JavaFiles.under(directory.resolve("ours")))
                .extracting(file -> file.getFileName().toString())
                .containsExactlyInAnyOrder(
                        "_2DEvents.java",
                        "EnumInsideEvents.java",
                        "EventEverywhereEvents.java",
                        "FieldsEvents.java",
                        "PostriderServiceEvents.java",
                        "MessageInsideEvents.java",
                        "NamesEvents.java",
                        "V1SharedEvents.java",
                        "V2SharedEvents.java",
                        "ServiceBesideEvents.java");
        assertThat(directory.resolve("ours/odd/everywhere/EventEverywhereEvents.java"))
                .content()
                .contains("EventType.of(\"odd.EventStore.v1.EventLog\"", "EventType.of(\"odd.EventStore.v1.Event\"");
    }
}
