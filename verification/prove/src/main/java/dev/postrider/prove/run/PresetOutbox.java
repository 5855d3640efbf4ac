package dev.postrider.prove.run;

import dev.postrider.prove.ProofException;
import dev.postrider.prove.broker.Content;
import dev.postrider.prove.write.MessageForm;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.existing.MappedText;
import dev.postrider.store.existing.MoveOutboxStore;
import dev.postrider.store.existing.MoveStoreBuilder;
import dev.postrider.store.existing.Preset;
import dev.postrider.store.existing.StatusOutboxStore;
import dev.postrider.store.existing.TableMapping;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The tables of a preset, which writers fill as the library does that made them.
 *
 * @param name of the table that they write to; the names of the others begin with it
 */
record PresetOutbox(Preset preset, String name) implements ProofOutbox {

    PresetOutbox {
        if (preset == Preset.RELAY_LOCK) {
            throw new ProofException("Preset relay-lock has no messages; choose one that has");
        }
    }

    @Override
    public void create(OutboxDatabase database) {
        String dialect = database.settings().kind().name().toLowerCase(Locale.ROOT);
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements(dialect)) {
                statement.execute(sql);
            }
        } catch (SQLException failed) {
            throw new ProofException(
                    "The tables of preset %s could not be made: %s".formatted(preset.label(), failed.getMessage()),
                    failed);
        }
    }

    private List<String> statements(String dialect) {
        try {
            return preset.statements(dialect, name);
        } catch (IllegalArgumentException notForIt) {
            throw new ProofException(String.valueOf(notForIt.getMessage()), notForIt);
        }
    }

    @Override
    public OutboxStore open(OutboxDatabase database) {
        return isMoving()
                ? moving(database).build()
                : StatusOutboxStore.builder(database.dataSource(), mapping()).build();
    }

    private boolean isMoving() {
        return preset.findMapping().isEmpty();
    }

    private MoveStoreBuilder moving(OutboxDatabase database) {
        MoveStoreBuilder builder = MoveOutboxStore.builder(database.dataSource(), preset)
                .pendingTable(name)
                .lockTable(name + "_relay_lock");
        return preset == Preset.PENDING
                ? builder
                : builder.waitTable(name + "_wait").parkingTable(name + "_parking_lot");
    }

    private TableMapping mapping() {
        TableMapping.Builder mapping = preset.mapping().toBuilder().table(name);
        return preset == Preset.OUTBOX_EVENTS
                ? mapping.topic(MappedText.fixed(name)).build()
                : mapping.build();
    }

    @Override
    public Set<String> undelivered(Connection connection) throws SQLException {
        return ProofTables.ids(
                connection,
                switch (preset) {
                    case OUTBOX_EVENTS, PENDING -> List.of("SELECT id FROM " + name);
                    case PENDING_WAIT ->
                        Stream.of("", "_wait", "_parking_lot")
                                .map(table -> "SELECT id FROM " + name + table)
                                .toList();
                    case EVENT_OUTBOX -> List.of("SELECT event_id FROM " + name + " WHERE published_at IS NULL");
                    case ENUM_STATUS -> List.of("SELECT event_id FROM " + name + " WHERE status <> 'sent'");
                    default -> List.of("SELECT id FROM " + name + " WHERE status <> 1");
                });
    }

    /** Each preset has its own way to tell the topic, which is the name of the proof. */
    @Override
    public MessageForm form() {
        String type = switch (preset) {
            case OUTBOX_EVENTS -> "outbox.event";
            case EVENT_OUTBOX -> name;
            default -> name + ".Counted";
        };
        boolean isBinary = preset == Preset.RECORDS_BINARY || preset == Preset.RECORDS_BINARY_PARTITIONED;
        return new MessageForm(type, isBinary ? "application/octet-stream" : "application/json", false, Content::json);
    }

    /** Relays that compete for rows keep none. */
    @Override
    public boolean keepsOrder() {
        return isMoving();
    }

    @Override
    public Optional<String> ordering() {
        return isMoving() ? Optional.empty() : Optional.of("none");
    }

    @Override
    public List<String> configuration() {
        String tables = switch (preset) {
            case PENDING -> "pending-table: %1$s, lock-table: %1$s_relay_lock";
            case PENDING_WAIT ->
                "pending-table: %1$s, wait-table: %1$s_wait, parking-table: %1$s_parking_lot, lock-table: %1$s_relay_lock";
            case OUTBOX_EVENTS -> "table: %1$s, topic: %1$s";
            default -> "table: %1$s";
        };
        return List.of("existing: { preset: %s, %s }".formatted(preset.label(), tables.formatted(name)));
    }
}
