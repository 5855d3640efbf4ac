package dev.postrider.message;

import java.nio.charset.StandardCharsets;

/** The text fields of a message with their limits, which are those of the narrowest column in any supported database. */
enum TextField {
    ID("id", 1024),
    TOPIC("topic", 255),
    KEY("key", 512),
    TYPE("type", 255),
    CONTENT_TYPE("contentType", 255),
    DEDUP_KEY("dedupKey", 255);

    private final String field;
    private final int maxBytes;

    TextField(String field, int maxBytes) {
        this.field = field;
        this.maxBytes = maxBytes;
    }

    String checked(String value) {
        if (value == null) {
            throw new InvalidMessageException(field, "is null");
        }
        if (value.isEmpty()) {
            throw new InvalidMessageException(field, "is empty");
        }
        checkLength(value);
        checkCharacters(value);
        return value;
    }

    private void checkLength(String value) {
        // One char is at least one byte: spares encoding a key of megabytes only to refuse it.
        long bytes = value.length() > maxBytes ? value.length() : value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > maxBytes) {
            throw new InvalidMessageException(
                    field,
                    "is %s%d bytes long in UTF-8, the limit is %d"
                            .formatted(value.length() > maxBytes ? "at least " : "", bytes, maxBytes));
        }
    }

    private void checkCharacters(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\0' || (!allowsControlCharacters() && Character.isISOControl(c))) {
                throw new InvalidMessageException(
                        field, "has control character U+%04X at position %d".formatted((int) c, i));
            }
        }
        int half = Surrogates.firstHalfPair(value);
        if (half >= 0) {
            throw new InvalidMessageException(field, "has half a surrogate pair at position " + half);
        }
    }

    /** What others chose is kept as it is, as far as every database can. */
    private boolean allowsControlCharacters() {
        return this == ID || this == KEY || this == DEDUP_KEY;
    }
}
