package dev.postrider.prove.run;

import dev.postrider.prove.broker.Content;
import dev.postrider.prove.write.MessageForm;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The outbox under proof: tables of Postrider's own, or those of a preset. */
interface ProofOutbox {

    static ProofOutbox of(ProofSettings settings) {
        return settings.preset()
                .<ProofOutbox>map(preset -> new PresetOutbox(preset, settings.name()))
                .orElseGet(() -> new OwnOutbox(settings.name()));
    }

    /** Creates its tables. */
    void create(OutboxDatabase database);

    OutboxStore open(OutboxDatabase database);

    /** The ids of all messages that wait in it, dead letters included. */
    Set<String> undelivered(Connection connection) throws SQLException;

    /** What the messages of writers look like. */
    MessageForm form();

    /** Whether relays keep the order of a key in it. */
    boolean keepsOrder();

    /** How a relay's configuration file describes it, by key; the value of the last one may be a section in braces. */
    List<String> configuration();

    /** What the relay is told beside that. */
    default Optional<String> ordering() {
        return Optional.empty();
    }

    /** Tables of Postrider's own. */
    record OwnOutbox(String name) implements ProofOutbox {

        /** Where a message may wait. */
        private static final List<String> TABLES = List.of("", "_held", "_delayed", "_dead");

        @Override
        public void create(OutboxDatabase database) {
            database.tables(new StoreSettings().prefix(name)).open(SchemaMode.CREATE);
        }

        @Override
        public OutboxStore open(OutboxDatabase database) {
            return database.tables(new StoreSettings().prefix(name)).open(SchemaMode.NONE);
        }

        @Override
        public Set<String> undelivered(Connection connection) throws SQLException {
            return ProofTables.ids(
                    connection,
                    TABLES.stream()
                            .map(table -> "SELECT id FROM " + name + table)
                            .toList());
        }

        @Override
        public MessageForm form() {
            return MessageForm.of(Content::payload);
        }

        @Override
        public boolean keepsOrder() {
            return true;
        }

        @Override
        public List<String> configuration() {
            return List.of("prefix: " + name);
        }
    }
}
