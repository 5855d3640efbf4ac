package dev.postrider.cli.command;

import dev.postrider.internal.Readable;
import dev.postrider.service.config.ValueFormat;
import dev.postrider.service.operation.Fields;
import dev.postrider.store.jdbc.StoredSchema;
import java.util.List;

/** What is said of the tables of an outbox. */
final class SchemaTexts {

    private SchemaTexts() {}

    static List<String> lines(String outbox, StoredSchema schema, String state) {
        return List.of("outbox %s: %s (schema version %d, %s, payload %s, audit %s)"
                .formatted(
                        outbox,
                        state,
                        schema.version(),
                        Readable.count(schema.lanes(), "lane"),
                        ValueFormat.nameOf(schema.payload()),
                        ValueFormat.nameOf(schema.audit())));
    }

    static Fields fields(String outbox, StoredSchema schema, String state) {
        return new Fields()
                .with("outbox", outbox)
                .with("state", state)
                .with("version", schema.version())
                .with("lanes", schema.lanes())
                .with("payload", ValueFormat.nameOf(schema.payload()))
                .with("audit", ValueFormat.nameOf(schema.audit()));
    }
}
