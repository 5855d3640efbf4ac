package dev.postrider.service.destination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileDestinationTest {

    @TempDir
    Path directory;

    @Test
    void beginsANewLineAfterOneThatAKilledProcessLeftUnfinished() throws IOException {
        Path file = directory.resolve("events");
        Files.writeString(file, "{\"id\":\"half a li");

        send(file, "first");
        send(file, "second");

        assertThat(Files.readString(file)).endsWith("\n");
        assertThat(Files.readAllLines(file))
                .hasSize(3)
                .satisfiesExactly(
                        half -> assertThat(half).isEqualTo("{\"id\":\"half a li"),
                        line -> assertThat(line)
                                .startsWith("{")
                                .contains("first")
                                .endsWith("}"),
                        line -> assertThat(line)
                                .startsWith("{")
                                .contains("second")
                                .endsWith("}"));
    }

    @Test
    void makesAFileForItsOwnerOnlyAndLeavesOthersAsTheyAre() throws IOException {
        Path made = directory.resolve("made");
        Path given = Files.createFile(directory.resolve("given"));
        Files.setPosixFilePermissions(given, PosixFilePermissions.fromString("rw-r-----"));

        send(made, "key");
        send(given, "key");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(given)))
                .isEqualTo("rw-r-----");
    }

    private static void send(Path file, String key) {
        OutboxMessage message =
                OutboxMessage.builder("orders").key(key).type("t").json("{}").build();
        try (FileDestination destination = new FileDestination("file", file)) {
            assertThat(destination.send(message).toCompletableFuture().join()).isEqualTo(DeliveryResult.DELIVERED);
        }
    }
}
