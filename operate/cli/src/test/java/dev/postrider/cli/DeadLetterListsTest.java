package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.service.operation.BatchAction;
import dev.postrider.service.operation.Selection;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters;
import dev.postrider.spi.RowRef;
import dev.postrider.store.jdbc.AuditTrail;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Long lists of dead letters, and odd filters of them. */
class DeadLetterListsTest {

    private final TestOutbox outbox = new TestOutbox(AuditTrail.NONE);
    private final Shell shell = new Shell().set("POSTRIDER_URL", outbox.url());

    @TempDir
    private Path directory;

    @Test
    void listsAndRetriesMoreThanItHoldsInMemory() {
        outbox.write("orders", 250);
        outbox.rejectAll();

        assertThat(shell.run("dead", "list", "--limit", "240")).isZero();
        assertThat(shell.lines())
                .hasSize(241)
                .filteredOn(line -> line.contains("TOPIC"))
                .hasSize(1);
        assertThat(shell.err()).contains("There are more");
        assertThat(shell.run("dead", "list", "--limit", "0")).isEqualTo(2);
        assertThat(shell.run("dead", "export", "--limit", "-1")).isEqualTo(2);
        assertThat(shell.run("dead", "retry", "--all", "--yes", "--limit", "0")).isEqualTo(2);
        assertThat(shell.run("dead", "retry", "--all", "--yes")).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("requested a retry of 250 dead letters");
    }

    /** As between the question to the operator and the answer. */
    @Test
    void actsOnWhatWasCountedAndOnNothingThatDiedSince() {
        DeadLetters letters = outbox.store().deadLetters();
        Selection all = Selection.of(letters, DeadLetterFilter.all());
        outbox.write("orders", 3);
        outbox.rejectAll();
        List<RowRef> counted = all.refs(2);
        List<MessageId> later = outbox.write("orders", 20);
        outbox.rejectAll();

        BatchAction discard = new BatchAction((some, filter, batch) -> some.discard(filter, batch, "ann"), count -> {});

        assertThat(discard.run(all, counted)).isEqualTo(2);
        assertThat(discard.run(all, counted)).isZero();
        assertThat(all.refs(100)).hasSize(21).extracting(RowRef::id).containsAll(later);
    }

    @Test
    void exportsTheBytesOfALetterThatCannotBeRead() throws Exception {
        byte[] payload = {'x', 'y'};
        outbox.execute(
                "INSERT INTO \"outbox\" (id, topic, type, headers, payload) VALUES (RANDOM_UUID(), 'orders', 't',"
                        + " '[]', X'7879')");
        outbox.rejectAll();

        assertThat(shell.run("dead", "export", "--payload")).isZero();
        assertThat(shell.out())
                .contains("\"reason\":\"UNREADABLE\"", "\"readable\":false", "\"payload_bytes\":" + payload.length)
                .contains("\"headers_base64\":\"" + base64("[]".getBytes(StandardCharsets.UTF_8)) + "\"")
                .contains("\"payload_base64\":\"" + base64(payload) + "\"");
        assertThat(shell.run("dead", "export")).isZero();
        assertThat(shell.out()).contains("\"readable\":false").doesNotContain("payload_bytes");
        assertThat(shell.run("dead", "retry", "--all", "--yes")).isZero();
        assertThat(shell.out()).contains("0");
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    @Test
    void takesAKeyThatBeginsWithAnAtSignForAKey() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "key-0");
        outbox.write("orders", 1);
        outbox.rejectAll();

        assertThat(shell.run("dead", "list", "--key", "@" + file)).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("no dead letters");
    }
}
