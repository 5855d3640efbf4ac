package dev.postrider.store.postgres;

import dev.postrider.spi.KeyState;
import dev.postrider.spi.OutboxRow;
import dev.postrider.store.jdbc.MessageReader;
import dev.postrider.store.jdbc.RowContent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Turns the results of {@link ScanSql} into rows. */
final class RowReader {

    private static final KeyState[] KEY_STATES = {KeyState.FREE, KeyState.HELD, KeyState.BURIED};

    private final MessageReader messages;

    RowReader(MessageReader messages) {
        this.messages = messages;
    }

    List<FoundRow> readAll(ResultSet rows) throws SQLException {
        List<FoundRow> found = new ArrayList<>();
        while (rows.next()) {
            found.add(new FoundRow(rows.getInt("lane"), rows.getLong("seq"), content(rows)));
        }
        return found;
    }

    private Optional<OutboxRow> content(ResultSet row) throws SQLException {
        return row.getBoolean("fits") ? Optional.of(read(row)) : Optional.empty();
    }

    private OutboxRow read(ResultSet row) throws SQLException {
        KeyState keyState = KEY_STATES[row.getInt("key_state")];
        RowContent content = messages.read(row);
        if (content instanceof RowContent.Readable readable) {
            return new OutboxRow.Hot(messages.ref(row), readable.message(), messages.createdAt(row), keyState);
        }
        String reason = ((RowContent.Unreadable) content).reason();
        return new OutboxRow.Unreadable(
                messages.ref(row), messages.key(row), messages.createdAt(row), keyState, reason);
    }
}
