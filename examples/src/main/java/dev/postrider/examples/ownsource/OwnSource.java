package dev.postrider.examples.ownsource;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.source.SourceOutboxStore;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Messages that live in a storage of one's own: a program drops files into a directory, and a relay delivers them.
 *
 * <p>A file is named {@code number_order_type}; files of one order go out by number. One of them is no message.
 */
public final class OwnSource {

    private OwnSource() {}

    public static void main(String[] args) throws IOException {
        Path directory = Files.createTempDirectory("own-source");
        Files.writeString(directory.resolve("001_order-7_OrderPlaced"), "{\"total\": 42}");
        Files.writeString(directory.resolve("002_order-8_OrderPlaced"), "{\"total\": 9}");
        Files.writeString(directory.resolve("003-what-is-this"), "?");
        Files.writeString(directory.resolve("004_order-7_OrderPaid"), "{}");

        OutboxStore store =
                SourceOutboxStore.builder(new DirectorySource(directory)).build();
        try (Destination printer = Destination.blocking("printer", OwnSource::print)) {
            Relay.withDefaults(store, printer).drainOnce();
        }
        for (Path file : new DirectorySource(directory.resolve("rejected")).fetch(10)) {
            System.out.println("rejected: " + file.getFileName());
        }
    }

    private static void print(OutboxMessage message) {
        String payload = new String(message.payload(), StandardCharsets.UTF_8);
        System.out.println(message.key().orElseThrow() + " " + message.type() + " " + payload);
    }
}
