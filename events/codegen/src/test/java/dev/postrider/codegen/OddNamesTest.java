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
                        "digits.proto",
                        "enum_inside.proto",
                        "event_everywhere.proto",
                        "fields.proto",
                        "imported.proto",
                        "message_inside.proto",
                        "names.proto",
                        "same_package_1.proto",
                        "same_package_2.proto",
                        "service_beside.proto",
                        "postrider/v1/options.proto");

        assertThat(printed).isEmpty();
        JavaFiles.compile(directory);
        assertThat(JavaFiles.under(directory.resolve("ours")))
                .extracting(file -> file.getFileName().toString())
                .containsExactlyInAnyOrder(
                        "_2DEvents.java",
                        "EnumsEvents.java",
                        "EventStoreEvents.java",
                        "FieldsEvents.java",
                        "PostriderServiceEvents.java",
                        "MessagesEvents.java",
                        "DefaultEvents.java",
                        "OddSharedV1Events.java",
                        "OddSharedV2Events.java",
                        "ServicesEvents.java");
        assertThat(directory.resolve("ours/odd/everywhere/EventStoreEvents.java"))
                .content()
                .contains("EventType.of(\"odd.EventStore.v1.EventLog\"", "EventType.of(\"odd.EventStore.v1.Event\"");
    }
}
