package dev.postrider.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mistakes end protoc with file, line and column. */
@Timeout(300)
class WrongUseTest {

    private static final String HEAD = """
        syntax = "proto3";
        package example.v1;
        import "postrider/v1/options.proto";
        """;

    @TempDir
    private Path directory;

    private String run(String body) throws IOException, InterruptedException {
        Files.writeString(directory.resolve("wrong.proto"), body);
        return new Protoc(directory).run(directory, "wrong.proto");
    }

    @Test
    void printsMistakesAsTheGuideShowsThem() throws Exception {
        Path resources = Path.of("src/test/resources/dev/postrider/codegen").toAbsolutePath();

        String printed = new Protoc(directory).run(resources.resolve("wrong"), "example/mistakes.proto");

        assertThat(printed).contains(Files.readString(resources.resolve("mistakes.txt")));
    }

    @Test
    void refusesANameThatDoesNotEndInEventAndSaysAllAtOnce() throws Exception {
        Files.writeString(directory.resolve("other.proto"), HEAD + """
            message Event { option (postrider.v1.enabled) = true; }
            """);
        Files.writeString(directory.resolve("wrong.proto"), HEAD + """

            message BookCreated {
              option (postrider.v1.enabled) = true;
            }
            message BookBurnt { option (postrider.v1.enabled) = true; }
            """);

        String printed = new Protoc(directory).run(directory, "wrong.proto", "other.proto");

        assertThat(printed)
                .contains("wrong.proto:5:1: message 'BookCreated' is an event, so its name must end in Event")
                .contains("wrong.proto:8:1: message 'BookBurnt' is an event")
                .contains("other.proto:4:1: message 'Event' is an event");
    }

    @Test
    void refusesAKeyFieldThatIsMissingOrNoKey() throws Exception {
        assertThat(run(HEAD + """
            message AEvent {
              option (postrider.v1.enabled) = true;
              option (postrider.v1.key_field) = "isbn";
            }
            """))
                .contains("wrong.proto:4:1: key_field is 'isbn', but message 'AEvent' has no such field");
        assertThat(run(HEAD + """
            message AEvent {
              option (postrider.v1.enabled) = true;
              option (postrider.v1.key_field) = "parts";
              repeated string parts = 1;
            }
            """))
                .contains("key_field 'parts' must be a string or a signed integer, and not repeated");
    }

    @Test
    void refusesAKeyAttributeThatIsNoneOrStandsBesideAKeyField() throws Exception {
        assertThat(run(HEAD + """
            message AEvent {
              option (postrider.v1.enabled) = true;
              option (postrider.v1.key_attribute) = "Tenant-Id";
            }
            """))
                .contains("wrong.proto:4:1: key_attribute is 'Tenant-Id', expected subject or an extension");
        assertThat(run(HEAD + """
            message AEvent {
              option (postrider.v1.enabled) = true;
              option (postrider.v1.key_attribute) = "subject";
              option (postrider.v1.key_field) = "isbn";
              string isbn = 1;
            }
            """)).contains("key_field and key_attribute both say what the key is");
    }

    /** As the generator that existing files were written for. */
    @Test
    void ignoresAnEventInsideOfAnotherMessage() throws Exception {
        assertThat(run(HEAD + """
            message Outer {
              message InnerEvent { option (postrider.v1.enabled) = true; }
            }
            """)).isEmpty();

        assertThat(JavaFiles.under(directory.resolve("ours"))).isEmpty();
    }

    @Test
    void refusesAnOptionThatIsUnknown() throws Exception {
        Files.writeString(
                directory.resolve("a.proto"), HEAD + "message AEvent { option (postrider.v1.enabled) = true; }");

        assertThat(new Protoc(directory).run(directory, "--postrider_opt=paths=source_relative", "a.proto"))
                .contains("--postrider_opt=paths=source_relative is unknown");
    }

    @Test
    void refusesAnEventTypeWithoutService() throws Exception {
        assertThat(run(HEAD + """
            message AEvent {
              option (postrider.v1.enabled) = true;
              option (postrider.v1.event_type) = "A";
            }
            """)).contains("wrong.proto:4:1: event_type is 'A', expected <service>.<event>");
    }

    @Test
    void refusesOneEventTypeForTwoMessages() throws Exception {
        assertThat(run(HEAD + """
            message AEvent { option (postrider.v1.enabled) = true; }
            message BEvent {
              option (postrider.v1.enabled) = true;
              option (postrider.v1.event_type) = "example.v1.A";
            }
            """)).contains("wrong.proto:5:1: event type 'example.v1.A' is that of another message");
    }

    @Test
    void refusesAnEmptyJavaPackage() throws Exception {
        assertThat(run(HEAD + """
            option java_package = "";
            message AEvent { option (postrider.v1.enabled) = true; }
            """)).contains("wrong.proto:5:1: java_package is empty");
    }

    @Test
    void refusesAFileWithoutPackage() throws Exception {
        assertThat(run("""
            syntax = "proto3";
            import "postrider/v1/options.proto";
            message AEvent { option (postrider.v1.enabled) = true; }
            """)).contains("wrong.proto:3:1: the file has no package");
    }

    @Test
    void refusesOneEventTypeInTwoFiles() throws Exception {
        for (String file : new String[] {"a.proto", "b.proto"}) {
            Files.writeString(
                    directory.resolve(file),
                    HEAD + """
                        message %sEvent {
                          option (postrider.v1.enabled) = true;
                          option (postrider.v1.event_type) = "example.v1.Same";
                        }
                        """.formatted(file.toUpperCase(Locale.ROOT).charAt(0)));
        }

        assertThat(new Protoc(directory).run(directory, "a.proto", "b.proto"))
                .contains("b.proto:4:1: event type 'example.v1.Same' is that of another message");
    }

    @Test
    void writesNothingForFilesWithoutEvents() throws Exception {
        assertThat(run("""
            syntax = "proto3";
            package a.b;
            import "google/protobuf/descriptor.proto";
            extend google.protobuf.MessageOptions { optional bool has_our_number = 51081; }
            message C { option (has_our_number) = true; }
            """)).isEmpty();

        try (var files = Files.list(directory.resolve("ours"))) {
            assertThat(files).isEmpty();
        }
    }
}
