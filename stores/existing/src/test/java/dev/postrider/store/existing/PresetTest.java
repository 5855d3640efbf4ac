package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What presets print. That each can be created is seen by all tests that use it. */
class PresetTest {

    @Test
    void differOnlyInWhatTheirNamesSay() {
        String plain = Preset.RECORDS.ddl("mysql");
        String partitions = "PARTITION BY RANGE (created_ts) (PARTITION pmax VALUES LESS THAN (MAXVALUE))";

        assertThat(plain).contains("payload JSON NOT NULL").doesNotContain("PARTITION BY");
        assertThat(Preset.RECORDS_BINARY.ddl("mysql")).isEqualTo(plain.replace("payload JSON", "payload LONGBLOB"));
        assertThat(Preset.RECORDS_PARTITIONED.ddl("mysql")).contains("payload JSON NOT NULL", partitions);
        assertThat(Preset.RECORDS_BINARY_PARTITIONED.ddl("mysql")).contains("payload LONGBLOB NOT NULL", partitions);
        assertThat(Preset.RECORDS.ddl("mariadb")).doesNotContain("GENERATED ALWAYS");
    }

    @Test
    void leaveNoMarkUnfilled() {
        Arrays.stream(Preset.values())
                .forEach(preset -> preset.databases()
                        .forEach(database -> assertThat(preset.ddl(database))
                                .as("%s for %s", preset, database)
                                .contains("CREATE TABLE")
                                .doesNotContain("${")));
    }

    @Test
    void nameTheDatabasesTheyAreFor() {
        assertThatThrownBy(() -> Preset.EVENT_OUTBOX.ddl("mysql"))
                .hasMessage("Preset event-outbox is for postgres, not for mysql");
        assertThatThrownBy(() -> Preset.of("records-json")).hasMessageContaining("There is no preset 'records-json'");
    }
}
