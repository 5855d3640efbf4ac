package dev.postrider.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.maintenance.PartitionPeriod;
import dev.postrider.service.config.Setting;
import dev.postrider.service.config.ValueFormat;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.service.database.ExistingKeys;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.service.destination.DestinationFactory;
import dev.postrider.service.destination.DestinationTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The reference of the configuration file lists exactly the keys that the code knows, with the same words. */
class ConfigReferenceTest {

    private static final Path REFERENCE = Path.of("../../docs/reference/configuration.md");
    private static final Pattern TABLE = Pattern.compile("<!-- keys: (\\S+) -->\\n((?:\\|.*\\n)*)");

    private static Map<String, String> tables() {
        Map<String, String> tables = new LinkedHashMap<>();
        tables.put("http", table(HttpSettings.SETTINGS));
        List<Setting<?>> outbox = new ArrayList<>(StoreSettings.SETTINGS);
        outbox.addAll(OutboxConfig.SETTINGS);
        tables.put("outbox", table(outbox));
        tables.put(
                "existing",
                head() + rows(List.of(ExistingKeys.PRESET)) + rows(ExistingKeys.MAPPING) + rows(ExistingKeys.STORE));
        tables.put("existing-columns", table(ExistingKeys.COLUMNS));
        tables.put("existing-status", table(ExistingKeys.STATUS));
        tables.put("existing-pending-wait", table(ExistingKeys.MOVE));
        tables.put("database", table(DatabaseSettings.SETTINGS));
        tables.put("relay", table(RelaySettings.ALL));
        tables.put(
                "cleanup",
                head()
                        + row(MaintenanceSettings.RETENTION, "time", "required", "How long delivered messages stay.")
                        + rows(MaintenanceSettings.CLEANUP));
        tables.put(
                "partitions",
                head()
                        + row(
                                MaintenanceSettings.PERIOD,
                                ValueFormat.choice(PartitionPeriod.class).label(),
                                "required",
                                "The time that one partition covers, in UTC.")
                        + rows(MaintenanceSettings.PARTITIONS));
        for (DestinationFactory factory : DestinationTypes.onClassPath().factories()) {
            StringBuilder table = new StringBuilder(head());
            table.append(row("type", factory.type(), "required", factory.meaning()));
            factory.keys().forEach(key -> table.append(row(key.name(), key.form(), key.standard(), key.meaning())));
            tables.put("destination-" + factory.type(), table.toString());
        }
        return tables;
    }

    private static String table(List<? extends Setting<?>> settings) {
        return head() + rows(settings);
    }

    private static String head() {
        return "| Key | Value | Default | Meaning |\n| --- | --- | --- | --- |\n";
    }

    private static String rows(List<? extends Setting<?>> settings) {
        StringBuilder rows = new StringBuilder();
        settings.forEach(
                setting -> rows.append(row(setting.name(), setting.form(), setting.standard(), setting.meaning())));
        return rows.toString();
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
