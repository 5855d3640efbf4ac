package dev.postrider.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.destination.kafka.KafkaDestination;
import dev.postrider.destination.nats.NatsDestination;
import dev.postrider.destination.rabbitmq.RabbitmqDestination;
import dev.postrider.maintenance.Cleanup;
import dev.postrider.maintenance.PartitionKeeper;
import dev.postrider.maintenance.PartitionPeriod;
import dev.postrider.opentelemetry.OpenTelemetryTracing;
import dev.postrider.relay.Relay;
import dev.postrider.service.config.Setting;
import dev.postrider.service.config.ValueFormat;
import dev.postrider.service.console.ConsoleSettings;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.ExistingKeys;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.service.destination.DestinationFactory;
import dev.postrider.service.destination.DestinationFactory.Key;
import dev.postrider.service.destination.DestinationTypes;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.existing.MoveOutboxStore;
import dev.postrider.store.existing.Preset;
import dev.postrider.store.existing.StatusOutboxStore;
import dev.postrider.store.existing.TableMapping;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** The reference of the configuration file lists exactly the keys that the code knows, with the same words. */
class ConfigReferenceTest {

    private static final Path REFERENCE = Path.of("../../docs/reference/configuration.md");
    private static final Pattern TABLE = Pattern.compile("<!-- keys: (\\S+) -->\\n((?:\\|.*\\n)*)");

    /** Whose defaults the reference shows. */
    private static final Map<String, Object> DESTINATIONS = Map.of(
            "log", new Object(),
            "file", new Object(),
            "kafka", KafkaDestination.builder("kafka", "localhost:9092"),
            "rabbitmq", RabbitmqDestination.builder("rabbitmq"),
            "nats", NatsDestination.builder("nats"));

    private static Map<String, String> tables() {
        OutboxStore store = BuilderCheck.NO_STORE;
        DataSource noDatabase = new JdbcDataSource();
        Map<String, String> tables = new LinkedHashMap<>();
        tables.put("http", table(HttpSettings.SETTINGS, new HttpSettings.Builder()));
        tables.put("console", table(ConsoleSettings.SETTINGS, new ConsoleSettings.Builder()));
        tables.put("tracing", table(TracingSettings.SETTINGS, OpenTelemetryTracing.builder(OpenTelemetry.noop())));
        tables.put(
                "outbox",
                table(StoreSettings.SETTINGS, new StoreSettings())
                        + rows(OutboxConfig.SETTINGS, new OutboxConfig.Builder()));
        TableMapping.Builder mapping = TableMapping.builder("order_events");
        tables.put(
                "existing",
                table(List.of(ExistingKeys.PRESET), mapping)
                        + rows(ExistingKeys.MAPPING, mapping)
                        + rows(
                                ExistingKeys.STORE,
                                StatusOutboxStore.builder(noDatabase, Preset.EVENT_OUTBOX.mapping())));
        tables.put("existing-columns", table(ExistingKeys.COLUMNS, mapping));
        tables.put("existing-status", table(ExistingKeys.STATUS, mapping));
        tables.put("existing-pending-wait", table(ExistingKeys.MOVE, MoveOutboxStore.builder(noDatabase)));
        tables.put("database", table(DatabaseSettings.SETTINGS, new DatabaseSettings.Builder()));
        tables.put(
                "relay", table(RelaySettings.ALL, Relay.builder(store, Destination.blocking("broker", message -> {}))));
        tables.put(
                "cleanup",
                head()
                        + row(MaintenanceSettings.RETENTION, "time", "required", "How long delivered messages stay.")
                        + rows(MaintenanceSettings.CLEANUP, Cleanup.builder(store, Duration.ofDays(1))));
        tables.put(
                "partitions",
                head()
                        + row(
                                MaintenanceSettings.PERIOD,
                                ValueFormat.choice(PartitionPeriod.class).label(),
                                "required",
                                "The time that one partition covers, in UTC.")
                        + rows(MaintenanceSettings.PARTITIONS, PartitionKeeper.builder(store, PartitionPeriod.DAY)));
        for (DestinationFactory factory : DestinationTypes.onClassPath().factories()) {
            tables.put(
                    "destination-" + factory.type(),
                    head()
                            + row("type", factory.type(), "required", factory.meaning())
                            + rowsOf(factory.keys(), DESTINATIONS.get(factory.type())));
        }
        return tables;
    }

    private static String table(List<? extends Setting<?>> settings, Object builder) {
        return head() + rows(settings, builder);
    }

    private static String head() {
        return "| Key | Value | Default | Meaning |\n| --- | --- | --- | --- |\n";
    }

    private static String rows(List<? extends Setting<?>> settings, Object builder) {
        return rowsOf(Key.of(settings), builder);
    }

    private static String rowsOf(List<Key> keys, Object builder) {
        BuilderDefaults defaults = new BuilderDefaults(builder);
        return keys.stream()
                .map(key -> row(key.name(), key.form(), defaults.of(key.name(), key.standard()), key.meaning()))
                .collect(Collectors.joining());
    }

    private static String row(String name, String form, String standard, String meaning) {
        return "| `%s` | %s | %s | %s |\n".formatted(name, form, standard, meaning);
    }

    /** With {@code -Dpostrider.docs.update} the file is written instead of compared. */
    @Test
    void listsExactlyTheKeysThatTheCodeKnows() throws IOException {
        String text = Files.readString(REFERENCE);
        Map<String, String> expected = tables();
        if (System.getProperty("postrider.docs.update") != null) {
            Files.writeString(
                    REFERENCE,
                    TABLE.matcher(text)
                            .replaceAll(found -> Matcher.quoteReplacement(
                                    "<!-- keys: " + found.group(1) + " -->\n" + expected.get(found.group(1)))));
            return;
        }
        Map<String, String> documented = new LinkedHashMap<>();
        TABLE.matcher(text).results().forEach(found -> documented.put(found.group(1), found.group(2)));

        assertThat(documented).containsExactlyInAnyOrderEntriesOf(expected);
    }
}
