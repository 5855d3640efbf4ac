package dev.postrider.service.operation;

import dev.postrider.service.database.StoredMessage;
import dev.postrider.store.jdbc.FailureLog.Failure;
import java.util.List;
import java.util.Map;

/** A message where it lies, for programs: without headers and payload. Numbers that a browser would round are texts. */
public final class MessageJson {

    private MessageJson() {}

    public static Fields fields(StoredMessage message) {
        return new Fields()
                .with("in", message.place().word())
                .with("id", message.id().text())
                .with("lane", message.lane())
                .with("seq", String.valueOf(message.seq()))
                .with("topic", message.topic())
                .with("key", message.key())
                .with("type", message.type())
                .with("content_type", message.contentType())
                .with("created_at", message.createdAt())
                .with("state", message.state());
    }

    /** Its failed attempts. */
    public static List<Map<String, Object>> failures(List<Failure> failures) {
        return failures.stream()
                .map(failure -> new Fields()
                        .with("at", failure.at())
                        .with("error", failure.error())
                        .map())
                .toList();
    }
}
