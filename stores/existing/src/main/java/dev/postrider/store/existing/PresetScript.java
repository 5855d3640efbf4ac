package dev.postrider.store.existing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The SQL of the presets: one file for each kind of table, in which marks stand for what differs. */
final class PresetScript {

    private static final Pattern MARK = Pattern.compile("\\$\\{(\\w+)}");
    private static final String FROM_ID = "(CONV(SUBSTR(HEX(id), 1, 12), 16, 10) DIV 1000)";
    private static final String PARTITIONS = """

            -- Add partitions with: postrider partitions
            PARTITION BY RANGE (created_ts) (PARTITION pmax VALUES LESS THAN (MAXVALUE))""";

    private final String database;

    PresetScript(String database) {
        this.database = database;
    }

    String of(Preset preset) {
        return switch (preset) {
            case RECORDS -> records("JSON", "");
            case RECORDS_BINARY -> records("LONGBLOB", "");
            case RECORDS_PARTITIONED -> records("JSON", PARTITIONS);
            case RECORDS_BINARY_PARTITIONED -> records("LONGBLOB", PARTITIONS);
            case OUTBOX_EVENTS -> filled("outbox-events.sql", Map.of("text_type", isPostgres() ? "TEXT" : "LONGTEXT"));
            case EVENT_OUTBOX, ENUM_STATUS, PENDING -> filled(preset.label() + ".sql", Map.of());
            case PENDING_WAIT -> filled("pending-wait.sql", Map.of("relay_lock", relayLock()));
            case RELAY_LOCK -> relayLock();
        };
    }

    private String records(String payloadType, String partitions) {
        Map<String, String> values = new HashMap<>(Map.of("payload_type", payloadType, "partitions", partitions));
        values.put("created_ts", database.equals("mariadb") ? writtenTime() : computedTime());
        return filled("records.sql", values);
    }

    private static String computedTime() {
        return "GENERATED ALWAYS AS %s STORED NOT NULL COMMENT 'Seconds since 1970, out of the id'".formatted(FROM_ID);
    }

    private static String writtenTime() {
        return "NOT NULL DEFAULT %s COMMENT 'Seconds since 1970, out of the id. MariaDB allows no generated column in a primary key: leave it out of inserts'"
                .formatted(FROM_ID);
    }

    private String relayLock() {
        return filled(
                "relay-lock.sql",
                isPostgres()
                        ? Map.of("holder_type", "UUID", "time_type", "TIMESTAMPTZ", "expire_comment", "")
                        : Map.of(
                                "holder_type",
                                "BINARY(16)",
                                "time_type",
                                "DATETIME(6)",
                                "expire_comment",
                                " COMMENT 'UTC, by the clock of the database'"));
    }

    private boolean isPostgres() {
        return database.equals("postgres");
    }

    private static String filled(String resource, Map<String, String> values) {
        return MARK.matcher(load(resource)).replaceAll(mark -> Matcher.quoteReplacement(values.get(mark.group(1))));
    }

    private static String load(String resource) {
        try (InputStream in = PresetScript.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("The jar of postrider-store-existing lacks " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
