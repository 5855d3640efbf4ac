package dev.postrider.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.service.config.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The section about tables that already exist is checked when the file is read, each mistake with its line. */
class ExistingConfigTest {

    @TempDir
    private Path directory;

    @Test
    void takesPresetsMappingsAndPresetsWithChanges() {
        assertThat(load("{ preset: event-outbox }").store().isExisting()).isTrue();
        assertThat(load("{ preset: pending-wait, completed-table: done, topic: t }")
                        .store()
                        .isExisting())
                .isTrue();
        assertThat(load("{ table: orders, columns: { key: order_id }, type: placed }")
                        .store()
                        .isExisting())
                .isTrue();
        assertThat(
                        load("{ preset: enum-status, columns: { message-id: none, claimed-until: until }, retry-delay: 2s 1m }")
                                .store()
                                .isExisting())
                .isTrue();
    }

    @Test
    void namesTheLineAndTheKeyOfEveryMistake() {
        refuses("{ columns: { id: id } }", "'preset' or 'table' is missing");
        refuses("{ preset: enum-stat }", "There is no preset 'enum-stat'");
        refuses("{ preset: relay-lock }", "holds no messages");
        refuses("{ preset: pending-wait, columns: { id: id } }", "unknown key 'columns'");
        refuses("{ preset: pending-wait, wait-table: a-b }", "wait-table: table is 'a-b'");
        refuses("{ table: orders, columns: { kee: x } }", "unknown key 'kee'; did you mean 'key'?");
        refuses("{ table: orders, columns: { id: none } }", "columns.id: A mapping needs a column for id");
        refuses("{ table: orders, columns: { key: 'a b' } }", "columns.key is 'a b'");
        refuses("{ table: orders, status: { column: s } }", "'pending' is missing");
        refuses("{ table: orders, status: { column: s, pending: N, sending: S } }", "needs a column claimed-until");
        refuses("{ table: orders, retry-delay: 1s }", "retry-delay is '1s', expected two times");
        refuses("{ table: orders, on-delivered: move }", "on-delivered is 'move', expected mark or delete");
        refuses("{ table: orders, lanes: 65 }", "lanes");
        refuses("event-outbox", "expected keys with values");
    }

    private void refuses(String existing, String problem) {
        assertThatThrownBy(() -> load(existing))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("line 7")
                .hasMessageContaining(problem);
    }

    private OutboxConfig load(String existing) {
        try {
            Path file = Files.writeString(directory.resolve("postrider.yaml"), """
                    destinations:
                      out: { type: log }
                    outboxes:
                      old:
                        database: { url: "jdbc:postgresql://localhost/app" }
                        relay: { ordering: none }
                        existing: %s
                    """.formatted(existing));
            return ServiceConfig.load(file, Map.of()).outbox("old");
        } catch (IOException unexpected) {
            throw new UncheckedIOException(unexpected);
        }
    }
}
