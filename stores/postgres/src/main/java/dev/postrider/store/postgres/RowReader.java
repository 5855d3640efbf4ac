package dev.postrider.store.postgres;

import dev.postrider.spi.KeyState;
import dev.postrider.spi.OutboxRow;
import dev.postrider.store.jdbc.MessageReader;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Turns the results of {@link ScanSql} into rows. */
final class RowReader {

    private final MessageReader messages;

    RowReader(MessageReader messages) {
        this.messages = messages;
    }

    List<FoundRow> readAll(ResultSet rows) throws SQLException {
        int fits = rows.findColumn("fits");
        int keyHeld = rows.findColumn("key_held");
        List<FoundRow> found = new ArrayList<>();
        while (rows.next()) {
            found.add(rows.getBoolean(fits) ? withContent(rows, rows.getBoolean(keyHeld)) : withoutContent(rows));
        }
        return found;
    }

    private FoundRow withContent(ResultSet row, boolean keyHeld) throws SQLException {
        OutboxRow content = messages.read(row).hot(keyHeld ? KeyState.HELD : KeyState.FREE);
        return new FoundRow(content.lane(), content.seq(), Optional.of(content));
    }

    private static FoundRow withoutContent(ResultSet row) throws SQLException {
        return new FoundRow(row.getInt("lane"), row.getLong("seq"), Optional.empty());
    }
}
