package dev.postrider.service.destination;

import dev.postrider.internal.HeaderJson;
import dev.postrider.internal.PrivateFile;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Appends lines to a file. A thread of its own writes all that waits and then forces it to the disk once, so that many
 * messages share the price. A line that a killed process left unfinished stays as it is, on a line of its own. Thread-safe.
 */
final class FileDestination implements Destination {

    private final String name;
    private final Path path;
    private final Thread writer;
    private List<Line> waiting = new ArrayList<>();

    /** A process was killed or a disk was full in the middle of a line, perhaps. Confined to the writer. */
    private boolean mayEndInsideALine = true;

    private boolean isClosed;

    FileDestination(String name, Path path) {
        this.name = name;
        this.path = path;
        this.writer = new Thread(this::writeUntilClosed, "postrider-" + name);
        writer.setDaemon(true);
        writer.start();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public synchronized CompletionStage<DeliveryResult> send(OutboxMessage message) {
        Line line = new Line(json(message), new CompletableFuture<>());
        if (isClosed) {
            line.ended().complete(DeliveryResult.outage(name + " is closed"));
        } else {
            waiting.add(line);
            notifyAll();
        }
        return line.ended();
    }

    private static byte[] json(OutboxMessage message) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("id", message.id().text());
        fields.put("topic", message.topic());
        message.key().ifPresent(key -> fields.put("key", key));
        fields.put("type", message.type());
        fields.put("contentType", message.contentType());
        fields.put("headers", HeaderJson.write(message.headers().asMap()));
        fields.put("payload", Base64.getEncoder().encodeToString(message.payload()));
        return (HeaderJson.write(fields) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private void writeUntilClosed() {
        List<Line> lines = take();
        while (!lines.isEmpty()) {
            DeliveryResult result = write(lines);
            lines.forEach(line -> line.ended().complete(result));
            lines = take();
        }
    }

    /** What waits; nothing only once it is closed. */
    private synchronized List<Line> take() {
        boolean interrupted = false;
        while (waiting.isEmpty() && !isClosed) {
            try {
                wait();
            } catch (InterruptedException ignored) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        List<Line> taken = waiting;
        waiting = new ArrayList<>();
        return taken;
    }

    private DeliveryResult write(List<Line> lines) {
        try (FileChannel channel = opened()) {
            if (mayEndInsideALine && endsInsideALine()) {
                // The half line was not acknowledged and comes again; what follows must not become part of it.
                writeFully(channel, ByteBuffer.wrap(new byte[] {'\n'}));
            }
            mayEndInsideALine = true;
            for (Line line : lines) {
                writeFully(channel, ByteBuffer.wrap(line.json()));
            }
            channel.force(false);
            mayEndInsideALine = false;
            return DeliveryResult.DELIVERED;
        } catch (IOException | UncheckedIOException failure) {
            return DeliveryResult.outage("Could not write to " + path + ": " + failure);
        }
    }

    /** A file of ours is for its owner only, since it holds payloads; one that exists keeps its permissions. */
    private FileChannel opened() throws IOException {
        if (!Files.exists(path)) {
            try {
                PrivateFile.create(path);
            } catch (FileAlreadyExistsException meanwhile) {
                // Another one made it.
            }
        }
        return FileChannel.open(path, StandardOpenOption.APPEND);
    }

    private boolean endsInsideALine() throws IOException {
        if (!Files.isRegularFile(path) || Files.size(path) == 0) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            return channel.read(last, channel.size() - 1) == 1 && last.get(0) != '\n';
        }
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public Duration deliveryTimeout() {
        return Duration.ofSeconds(2);
    }

    @Override
    public Health healthCheck() {
        try (FileChannel channel = opened()) {
            return channel.isOpen() ? Health.UP : Health.down("Closed");
        } catch (IOException failure) {
            return Health.down("Cannot write to " + path + ": " + failure);
        }
    }

    /** Writes what waits, within a bound. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            notifyAll();
        }
        try {
            writer.join(deliveryTimeout().toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private record Line(byte[] json, CompletableFuture<DeliveryResult> ended) {}
}
