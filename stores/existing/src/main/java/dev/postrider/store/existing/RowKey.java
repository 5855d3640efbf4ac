package dev.postrider.store.existing;

import dev.postrider.message.MessageId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** The value of an id column, whatever its type, as a text. */
record RowKey(ColumnKind kind, String text) {

    private static final int KEYS_PER_STATEMENT = 100;
    private static final int HEX_OF_UUID = 32;

    static RowKey read(ResultSet row, String label, ColumnKind kind) throws SQLException {
        String text = kind == ColumnKind.BYTES ? HexFormat.of().formatHex(row.getBytes(label)) : row.getString(label);
        return new RowKey(kind, text);
    }

    /** As a parameter of a statement. */
    Object parameter() {
        return switch (kind) {
            case UUID -> java.util.UUID.fromString(text);
            case BYTES -> HexFormat.of().parseHex(text);
            case NUMBER -> Long.valueOf(text);
            default -> text;
        };
    }

    /**
     * The id of the message: that of the row as it is. A number is no id for the world, and gets the origin before it.
     *
     * @param origin what tells rows of this table from those of the same number elsewhere
     */
    MessageId messageId(String origin) {
        boolean isUuid = kind == ColumnKind.BYTES && text.length() == HEX_OF_UUID;
        if (isUuid) {
            return MessageId.fromBytes(HexFormat.of().parseHex(text));
        }
        return MessageId.of(kind == ColumnKind.NUMBER ? origin + ":" + text : text);
    }

    static List<Object> parameters(List<RowKey> keys) {
        return keys.stream().map(RowKey::parameter).toList();
    }

    /** Splits the keys into parts that each fit into one statement. */
    static List<List<RowKey>> chunks(List<RowKey> keys) {
        List<List<RowKey>> chunks = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += KEYS_PER_STATEMENT) {
            chunks.add(keys.subList(from, Math.min(keys.size(), from + KEYS_PER_STATEMENT)));
        }
        return chunks;
    }
}
