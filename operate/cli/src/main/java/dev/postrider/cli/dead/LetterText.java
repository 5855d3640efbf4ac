package dev.postrider.cli.dead;

import dev.postrider.cli.output.Columns;
import dev.postrider.cli.output.Plain;
import dev.postrider.cli.output.TextTable;
import dev.postrider.cli.output.Times;
import dev.postrider.internal.Readable;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeadLetters.DeadLetter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Dead letters for people. Payloads and the values of headers are hidden unless they are asked for. */
public final class LetterText {

    private LetterText() {}

    /** One line each. */
    public static List<String> lines(List<DeadLetter> letters) {
        if (letters.isEmpty()) {
            return List.of("no dead letters");
        }
        Columns columns = new Columns("ID", "TOPIC", "KEY", "TYPE", "REASON", "TRIES", "GIVEN UP", "RETRY");
        letters.forEach(letter -> columns.row(
                letter.ref().id().toString(),
                Plain.text(letter.message().topic(), 30),
                Plain.text(letter.message().key().orElse("-"), 30),
                Plain.text(letter.message().type(), 30),
                letter.reason().name(),
                String.valueOf(letter.attempts()),
                Times.moment(letter.diedAt()),
                letter.retryRequested() ? "requested" : "-"));
        return columns.lines();
    }

    /** Everything about one. */
    public static List<String> details(DeadLetter letter, boolean withPayload) {
        OutboxMessage message = letter.message();
        TextTable table = new TextTable()
                .row("id", message.id().toString())
                .row("topic", Plain.text(message.topic()))
                .row("key", Plain.text(message.key().orElse("-")))
                .row("type", Plain.text(message.type()))
                .row("content type", Plain.text(message.contentType()))
                .row("lane, seq", letter.ref().lane() + ", " + letter.ref().seq())
                .row("created", letter.createdAt().toString())
                .row("reason", letter.reason().name())
                .row("attempts", String.valueOf(letter.attempts()))
                .row(
                        "first failed",
                        letter.firstFailedAt().map(Object::toString).orElse("-"))
                .row("given up", letter.diedAt().toString())
                .row("retry", letter.retryRequested() ? "requested" : "not requested")
                .row("last error", Plain.text(letter.error()));
        List<String> lines = new ArrayList<>(table.lines());
        if (letter.isReadable()) {
            lines.addAll(withPayload ? content(message) : hidden(message));
        } else {
            lines.add("  headers and payload cannot be read; 'postrider dead export --payload' writes their bytes");
        }
        return lines;
    }

    private static List<String> hidden(OutboxMessage message) {
        return new TextTable()
                .row(
                        "headers",
                        Plain.text(String.join(", ", message.headers().asMap().keySet())) + " (values hidden)")
                .row("payload", Readable.bytes(message.payload().length) + " (hidden; --payload shows it)")
                .lines();
    }

    private static List<String> content(OutboxMessage message) {
        TextTable headers = new TextTable();
        for (Map.Entry<String, String> header : message.headers().asMap().entrySet()) {
            headers.row("header " + Plain.text(header.getKey()), Plain.text(header.getValue()));
        }
        List<String> lines = new ArrayList<>(headers.lines());
        lines.add("  payload, " + Readable.bytes(message.payload().length) + ":");
        lines.add(Plain.text(new String(message.payload(), StandardCharsets.UTF_8)));
        return lines;
    }
}
