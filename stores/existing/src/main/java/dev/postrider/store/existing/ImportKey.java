package dev.postrider.store.existing;

import dev.postrider.message.OutboxMessage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The dedup key of an imported row. It is made of the content too: a row of the same number in a table of the same name elsewhere is
 * another one, and must not pass for written already.
 */
final class ImportKey {

    private ImportKey() {}

    static String of(String table, RowKey row, OutboxMessage message) {
        MessageDigest digest = sha256();
        digest.update(row.text().getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
        digest.update(message.id().toBytes());
        digest.update(message.payload());
        return "import:%s:%s".formatted(table, HexFormat.of().formatHex(digest.digest()));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java has SHA-256", impossible);
        }
    }
}
