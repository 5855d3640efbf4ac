package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.store.jdbc.AuditTrail;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators read answers in plain words: what was refused and why, how many, and of which outbox. */
class PlainAnswersTest {

    private final TestOutbox outbox = new TestOutbox(AuditTrail.NONE);
    private final Shell shell = new Shell().set("POSTRIDER_INTERVAL", "1ms");

    @TempDir
    private Path directory;

    @BeforeEach
    void writeFile() throws Exception {
        Path file = Files.writeString(directory.resolve("postrider.yaml"), """
                destinations: {bank: {type: log}}
                outboxes:
                  main:
                    database: {url: "%s"}
                    destination: bank
                """.formatted(outbox.url()));
        shell.set("POSTRIDER_CONFIG", file.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"dead show ", "dead list --id ", "dead retry --yes --id "})
    void refusesWhatIsNotAMessageId(String command) {
        assertThat(shell.run(command.split(" ", -1))).isEqualTo(2);
        assertThat(shell.err()).contains("This is not a message id", "id is empty");
    }

    @Test
    void saysThatThereIsNothingToDo() {
        assertThat(shell.run("dead", "retry", "--all", "--yes")).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("nothing to retry");
        assertThat(shell.run("dead", "discard", "--topic", "orders", "--yes")).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("nothing to discard");
        assertThat(shell.run("unblock", "--all")).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("nothing to unblock");
        assertThat(shell.run("dead", "retry", "--all", "--yes", "--json")).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("{\"requested\":0}");
    }

    @Test
    void countsOneAndSeveral() {
        outbox.write("orders", 1);
        outbox.write("pay", 2);
        outbox.rejectAll();

        assertThat(shell.run("dead", "retry", "--topic", "orders", "--dry-run")).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("1 dead letter matches");
        assertThat(shell.run("dead", "retry", "--topic", "pay", "--dry-run")).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("2 dead letters match");
        assertThat(shell.run("dead", "retry", "--topic", "orders", "--yes")).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("requested a retry of 1 dead letter");
        assertThat(shell.run("dead", "discard", "--topic", "pay", "--yes")).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("discarded 2 dead letters");
        assertThat(shell.run("doctor")).isIn(0, 1);
        assertThat(shell.out()).contains("0 errors, 1 warning, ").contains("there is 1 dead letter");
    }

    @Test
    void refusesToResumeADestinationThatDoesNotExist() {
        assertThat(shell.run("resume", "nosuch")).isEqualTo(2);
        assertThat(shell.err()).contains("The outbox has no destination 'nosuch'");
    }

    /** One that was paused before the file lost it could never be resumed otherwise. */
    @Test
    void resumesADestinationThatIsPausedThoughTheFileLostIt() {
        outbox.store().pauses().pause("former", "ann");

        assertThat(shell.run("resume", "former")).isZero();
        assertThat(outbox.store().pauses().paused()).isEmpty();
    }

    @Test
    void exportsAllWhenAskedSo() {
        outbox.write("orders", 3);
        outbox.rejectAll();

        assertThat(shell.run("dead", "export", "--all")).as(shell.err()).isZero();
        assertThat(shell.lines()).hasSize(3);
        assertThat(shell.err()).contains("exported 3 dead letters");
    }

    @Test
    void namesTheOutboxAsTheFileDoes() {
        assertThat(shell.run("schema", "apply")).isZero();
        assertThat(shell.out()).startsWith("outbox main: unchanged");
        assertThat(shell.run("schema", "verify")).isZero();
        assertThat(shell.out()).startsWith("outbox main: good");
        assertThat(shell.run("dead", "show", "0199e6a0-0000-7000-8000-000000000000"))
                .isEqualTo(1);
        assertThat(shell.err()).contains("in outbox main");
    }

    @Test
    void printsJsonWithTheShortOptionToo() {
        assertThat(shell.run("status", "--json")).as(shell.err()).isZero();
        assertThat(shell.out()).startsWith("{\"outbox\":\"main\"");
    }
}
