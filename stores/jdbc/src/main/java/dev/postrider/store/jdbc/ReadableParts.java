package dev.postrider.store.jdbc;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Shows a row that is not a valid message: its texts with what is not allowed replaced, no headers, no payload. */
final class ReadableParts {

    private static final int MAX_BYTES = 255;
    private static final int MAX_KEY_BYTES = 512;

    private ReadableParts() {}

    static OutboxMessage message(MessageId id, ResultSet row) throws SQLException {
        OutboxMessage.Builder builder = OutboxMessage.builder(text(row.getString("topic"), MAX_BYTES), () -> id)
                .type(text(row.getString("type"), MAX_BYTES))
                .contentType(text(row.getString("content_type"), MAX_BYTES));
        String key = row.getString("message_key");
        return (key == null ? builder : builder.key(text(key, MAX_KEY_BYTES))).build();
    }

    static String text(@Nullable String value, int maxBytes) {
        if (value == null || value.isEmpty()) {
            return "?";
        }
        StringBuilder text = new StringBuilder();
        int bytes = 0;
        for (int index = 0; index < value.length(); ) {
            int codePoint = value.codePointAt(index);
            index += Character.charCount(codePoint);
            String shown = isAllowed(codePoint) ? Character.toString(codePoint) : "\uFFFD";
            bytes += shown.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > maxBytes) {
                break;
            }
            text.append(shown);
        }
        return text.toString();
    }

    private static boolean isAllowed(int codePoint) {
        return !Character.isISOControl(codePoint)
                && (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE);
    }
}
