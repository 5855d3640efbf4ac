package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.store.jdbc.AuditTrail;
import java.nio.file.Files;
import java.nio.file.Path;
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

    @Test
    void takesAKeyThatBeginsWithAnAtSignForAKey() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "key-0");
        outbox.write("orders", 1);
        outbox.rejectAll();

        assertThat(shell.run("dead", "list", "--key", "@" + file)).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("no dead letters");
    }
}
