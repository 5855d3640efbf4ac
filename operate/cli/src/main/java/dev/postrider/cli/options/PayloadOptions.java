package dev.postrider.cli.options;

import dev.postrider.Outbox;
import dev.postrider.internal.JsonText;
import dev.postrider.internal.Utf8;
import dev.postrider.message.OutboxMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** A message as it is typed. */
public final class PayloadOptions {

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Parameters(
            paramLabel = "PAYLOAD",
            description = "The payload: the text itself, @FILE for a file's content, or - for standard input.")
    private String payload;

    @Option(names = "--topic", required = true, paramLabel = "TOPIC", description = "Where the message goes.")
    private String topic;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "Messages of one key are delivered in order. Default: no key.")
    private @Nullable String key;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            defaultValue = "postrider.test",
            description = "What happened. Default: ${DEFAULT-VALUE}.")
    private String type;

    @Option(names = "--header", paramLabel = "NAME=VALUE", description = "A header; may be repeated.")
    private List<String> headers = List.of();

    @Option(
            names = "--content-type",
            paramLabel = "TYPE",
            description =
                    "Default: application/json if it is JSON, text/plain for other text, else application/octet-stream.")
    private @Nullable String contentType;

    /** The message, with an id of its own. */
    public OutboxMessage message(Outbox outbox) throws IOException {
        byte[] bytes = bytes();
        OutboxMessage.Builder builder = outbox.message(topic)
                .type(type)
                .headers(parsedHeaders())
                .contentType(contentType == null ? contentTypeOf(bytes) : contentType)
                .payload(bytes);
        Optional.ofNullable(key).ifPresent(builder::key);
        return builder.build();
    }

    private Map<String, String> parsedHeaders() {
        Map<String, String> parsed = new LinkedHashMap<>();
        for (String header : headers) {
            String[] parts = header.split("=", 2);
            if (parts.length < 2) {
                throw new ParameterException(spec.commandLine(), "--header is '" + header + "', expected NAME=VALUE");
            }
            parsed.put(parts[0], parts[1]);
        }
        return parsed;
    }

    private byte[] bytes() throws IOException {
        if (payload.equals("-")) {
            return System.in.readAllBytes();
        }
        if (!payload.startsWith("@")) {
            return payload.getBytes(StandardCharsets.UTF_8);
        }
        Path file = Path.of(payload.substring(1));
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException missing) {
            throw new ParameterException(spec.commandLine(), "There is no file " + file);
        }
    }

    private static String contentTypeOf(byte[] bytes) {
        Optional<String> text = Utf8.decode(bytes);
        if (text.isEmpty()) {
            return OutboxMessage.DEFAULT_CONTENT_TYPE;
        }
        return JsonText.isValid(text.get()) ? "application/json" : "text/plain";
    }
}
