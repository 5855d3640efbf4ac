package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.relay.OnExhausted;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Ordering;
import dev.postrider.store.jdbc.AuditTrail;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperatorCommandsTest {

    private final TestOutbox outbox = new TestOutbox(AuditTrail.NONE);
    private final Shell shell = new Shell()
            .set("POSTRIDER_URL", outbox.url())
            .set("POSTRIDER_OPERATOR", "ann")
            .set("POSTRIDER_INTERVAL", "1ms");

    @TempDir
    private Path directory;

    /** What the outbox recorded of operators: who, what, how many. */
    private List<String> operations() throws SQLException {
        try (Connection connection = DriverManager.getConnection(outbox.url());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT operator, action, affected FROM \"outbox_operation\" ORDER BY happened_at, id")) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1) + " " + rows.getString(2) + " " + rows.getInt(3));
            }
            return found;
        }
    }

    private String config() throws Exception {
        return Files.writeString(directory.resolve("postrider.yaml"), """
                destinations: {bank: {type: log}, rest: {type: log}}
                outboxes:
                  main:
                    database: {url: "%s"}
                    routes: [{topic: pay*, destination: bank}]
                    destination: rest
                """.formatted(outbox.url()))
                .toString();
    }

    @Test
    void showsAnEmptyOutbox() {
        assertThat(shell.run("status")).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains("outbox outbox", "undelivered", "4, 4 without a relay", "about 0 enqueued and 0 delivered");
        assertThat(shell.run("status", "--interval", "0s")).isEqualTo(2);
    }

    @Test
    void showsBacklogHeldKeysDeadLettersPausesAndLanes() {
        outbox.write("orders", 3);
        outbox.rejectAll();
        outbox.write("bills", 2);
        outbox.drain(DeliveryResult.retry("bank is slow"), OnExhausted.DEAD_LETTER, 100);
        outbox.write("mails", 5);
        outbox.store().pauses().pause("smtp", "bob");
        outbox.store().leases().take(2, "relay-7", Duration.ofMinutes(1));

        assertThat(shell.run("status")).isZero();
        assertThat(shell.out())
                .containsPattern("undelivered +7")
                .containsPattern("held +2")
                .containsPattern("dead letters +3 \\(REJECTED 3\\)")
                .containsPattern("paused +smtp")
                .containsPattern("relay-7 .* 2")
                .containsPattern("key-0 +bills +1 .*bank is slow");

        assertThat(shell.run("status", "--output", "json")).isZero();
        assertThat(shell.lines()).hasSize(1);
        assertThat(shell.out())
                .startsWith("{\"outbox\":\"outbox\",\"undelivered\":7,\"undelivered_is_exact\":true,")
                .contains("\"dead_by_reason\":{\"REJECTED\":3}", "\"paused\":[\"smtp\"]", "\"owner\":\"relay-7\"");
    }

    @Test
    void showsWhereAMessageIsWithItsFailedAttempts() {
        outbox.write("bills", 1);
        outbox.drain(DeliveryResult.retry("bank is slow"), OnExhausted.DEAD_LETTER, 100);
        // The first of them waits behind the bill with its key.
        outbox.write("orders", 2);
        outbox.rejectAll();
        String dead = outbox.store()
                .deadLetters()
                .list(DeadLetterFilter.all(), Optional.empty(), 1)
                .get(0)
                .message()
                .id()
                .text();

        assertThat(shell.run("message", dead)).as(shell.err()).isZero();
        assertThat(shell.out())
                .containsPattern("in +dead")
                .containsPattern("topic +orders")
                .containsPattern("failed +20\\d\\d-");
        assertThat(shell.run("message", dead, "--output", "json")).isZero();
        assertThat(shell.out()).contains("\"in\":\"dead\"", "\"failures\":[{\"at\":");
        assertThat(shell.run("message", "0199e6a0-0000-7000-8000-000000000000")).isEqualTo(1);
        assertThat(shell.err()).contains("There is no message 0199e6a0");
        assertThat(shell.run("dead", "list", "--error", "NO SUCH ERROR")).isZero();
        assertThat(shell.out()).contains("no dead letters");
    }

    @Test
    void countsHeldMessagesAsUndelivered() {
        outbox.write("bills", 4);
        outbox.drain(DeliveryResult.retry("bank is slow"), OnExhausted.DEAD_LETTER, 100);

        assertThat(shell.run("doctor")).isEqualTo(1);
        assertThat(shell.out()).contains("WARNING  lanes: 4 of 4 lanes belong to no relay; 4 messages undelivered");
        assertThat(shell.run("status")).isZero();
        assertThat(shell.out()).containsPattern("undelivered +4").containsPattern("held +4");
        assertThat(shell.run("lanes", "plan", "--lanes", "2", "--to-prefix", "next"))
                .as(shell.err())
                .isZero();
        assertThat(shell.out()).contains("undelivered 4, held 4");
    }

    @Test
    void showsWhichPlaceMessagesWaitFor() {
        outbox.write("orders", 3);
        outbox.drain(
                DeliveryResult.unavailable("topic orders", "topic orders does not exist; create it"),
                OnExhausted.DEAD_LETTER,
                1);

        assertThat(shell.run("status")).isZero();
        assertThat(shell.out())
                .containsPattern("dead letters +0")
                .containsPattern("test +orders +3 .*topic orders does not exist");
        assertThat(shell.run("status", "--output", "json")).isZero();
        assertThat(shell.out())
                .contains("\"waiting\":[{\"destination\":\"test\",\"topic\":\"orders\",\"messages\":3,")
                .contains("topic orders does not exist");
        assertThat(shell.run("doctor")).isIn(0, 1);
        assertThat(shell.out())
                .contains("3 messages of topic orders wait for destination test: topic orders does not exist");
    }

    @Test
    void listsAndShowsDeadLettersWithoutPayloadsHeadersAndEscapes() {
        List<MessageId> ids = outbox.write("orders", 3);
        outbox.rejectAll();

        assertThat(shell.run("dead", "list", "--topic", "orders")).isZero();
        assertThat(shell.lines()).hasSize(4);
        assertThat(shell.run("dead", "list", "--limit", "2", "--output", "json"))
                .isZero();
        assertThat(shell.lines()).hasSize(2).allMatch(line -> line.contains("\"reason\":\"REJECTED\""));
        assertThat(shell.out()).doesNotContain("hidden");
        assertThat(shell.err()).contains("There are more");

        String id = ids.get(1).toString();
        assertThat(shell.run("dead", "show", id)).isZero();
        assertThat(shell.out())
                .contains(id, "key-1", "REJECTED", "refused by", "token (values hidden)", "26 bytes (hidden")
                .doesNotContain("hidden header", "hidden payload", "\u001b");
        assertThat(shell.run("dead", "show", id, "--payload")).isZero();
        assertThat(shell.out()).contains("hidden header", "hidden payload");
        assertThat(shell.run("dead", "show", "0199e6a0-0000-7000-8000-000000000000"))
                .isEqualTo(1);
        assertThat(shell.err()).contains("There is no dead letter");
    }

    /** As an operator reads it in the log of a consumer. */
    @Test
    void findsAndRetriesADeadLetterByAnIdThatIsNoUuid() {
        outbox.write("orders", 2);
        outbox.write(MessageId.of("user-created-123"), MessageId.of("0190A3F2-7C1E-7B3A-9F00-123456789ABC"));
        outbox.rejectAll();

        assertThat(shell.run("dead", "list", "--id", "user-created-123")).isZero();
        assertThat(shell.out()).contains("user-created-123");
        assertThat(shell.run("dead", "show", "0190A3F2-7C1E-7B3A-9F00-123456789ABC", "--output", "json"))
                .isZero();
        assertThat(shell.out()).contains("\"id\":\"0190A3F2-7C1E-7B3A-9F00-123456789ABC\"");
        assertThat(shell.run("dead", "retry", "--id", "user-created-123", "--yes"))
                .isZero();
        outbox.deliverAll();
        assertThat(shell.run("dead", "show", "user-created-123")).isEqualTo(1);
        assertThat(shell.err()).contains("There is no dead letter user-created-123");
        assertThat(outbox.store().deadLetters().count(DeadLetterFilter.all(), 10))
                .isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "--topic orders,2", "--topic none,0", "--type test.pay,3", "--key key-2,1", "--reason rejected,5",
        "--reason unreadable,0", "--since 1h,5", "--until 1h,0", "--until 2999-01-01,5", "--topic pay --key key-1,1",
    })
    void filters(String filter, int expected) {
        outbox.write("orders", 2);
        outbox.write("pay", 3);
        outbox.rejectAll();

        assertThat(shell.run(("dead retry --dry-run " + filter).split(" ")))
                .as(shell.err())
                .isZero();
        assertThat(shell.out())
                .isEqualToIgnoringNewLines(expected == 1 ? "1 dead letter matches" : expected + " dead letters match");
        assertThat(outbox.store().forRelay(Ordering.PER_KEY).held().lanesWithRetries(Set.of(0, 1, 2, 3)))
                .isEmpty();
    }

    @Test
    void filtersByTheDestinationThatTheFileNames() throws Exception {
        outbox.write("orders", 2);
        outbox.write("pay", 3);
        outbox.rejectAll();
        String config = config();

        assertThat(shell.run("dead", "list", "--config", config, "--destination", "bank", "-o", "json"))
                .isZero();
        assertThat(shell.lines()).hasSize(3).allMatch(line -> line.contains("\"topic\":\"pay\""));
        assertThat(shell.run("dead", "discard", "--config", config, "--destination", "bank", "--limit", "2", "--yes"))
                .isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("discarded 2 dead letters");
        assertThat(shell.run("dead", "list", "--destination", "bank")).isEqualTo(2);
        assertThat(shell.err()).contains("--destination needs --config");
        assertThat(shell.run("dead", "list", "--config", config, "--destination", "bnak"))
                .isEqualTo(2);
        assertThat(shell.err()).contains("has no destination 'bnak'; it has bank, rest");
    }

    @Test
    void retriesWhatMatchesAndRecordsWho() throws Exception {
        outbox.write("orders", 3);
        outbox.write("pay", 2);
        outbox.rejectAll();

        assertThat(shell.run("dead", "retry", "--topic", "orders", "--yes")).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("requested a retry of 3 dead letters");
        assertThat(operations()).containsExactly("ann retry 3");

        outbox.deliverAll();
        assertThat(outbox.store().stats().dead()).isEqualTo(2);
        assertThat(outbox.store().stats().held()).isZero();
    }

    @Test
    void discardsUpToTheLimitAndRecordsWho() throws Exception {
        outbox.write("orders", 5);
        outbox.rejectAll();

        assertThat(shell.run("dead", "discard", "--all", "--limit", "2", "--yes", "-o", "json"))
                .isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("{\"discarded\":2}");
        assertThat(outbox.store().stats().dead()).isEqualTo(3);
        assertThat(operations()).containsExactly("ann discard 2");
    }

    @Test
    void doesNothingToDeadLettersWithoutAFilterOrAConfirmation() {
        outbox.write("orders", 1);
        outbox.rejectAll();

        assertThat(shell.run("dead", "discard", "--yes")).isEqualTo(2);
        assertThat(shell.err()).contains("Give a filter, or --all");
        assertThat(shell.run("dead", "discard", "--all")).isEqualTo(2);
        assertThat(shell.err()).contains("There is no terminal to ask");
        assertThat(outbox.store().stats().dead()).isEqualTo(1);
    }

    @Test
    void exportsToAFileThatIsNotThereYet() throws Exception {
        outbox.write("orders", 3);
        outbox.rejectAll();
        Path file = directory.resolve("dead.jsonl");

        assertThat(shell.run("dead", "export", "--file", file.toString(), "--payload"))
                .isZero();
        assertThat(Files.readAllLines(file)).hasSize(3).allMatch(line -> line.contains("payload_base64"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(shell.run("dead", "export", "--file", file.toString())).isEqualTo(2);
        assertThat(shell.run("dead", "export")).isZero();
        assertThat(shell.lines()).hasSize(3).noneMatch(line -> line.contains("base64") || line.contains("hidden"));
        assertThat(outbox.store().deadLetters().count(DeadLetterFilter.all(), 10))
                .isEqualTo(3);
    }

    @Test
    void pausesAndResumes() throws Exception {
        assertThat(shell.run("pause", "bank", "--config", config())).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("bank paused");
        assertThat(outbox.store().pauses().paused()).containsExactly("bank");
        assertThat(shell.run("pause", "bank")).isZero();
        assertThat(shell.out()).contains("was paused already");
        assertThat(shell.run("resume", "bank", "-o", "json")).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("{\"destination\":\"bank\",\"paused\":false}");
        assertThat(operations()).containsExactly("ann pause 1", "ann resume 1");
        assertThat(shell.run("pause", "bnak", "--config", config())).isEqualTo(2);
        assertThat(shell.err()).contains("has no destination 'bnak'");
    }

    @Test
    void unblocksKeys() throws Exception {
        outbox.write("orders", 2);
        outbox.drain(DeliveryResult.reject("no"), OnExhausted.BLOCK_KEY, 1);

        shell.run("status");
        assertThat(shell.out()).containsPattern("key-1 +orders +1 +blocked");
        assertThat(shell.run("unblock", "--key", "key-1")).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("unblocked 1 message");
        assertThat(shell.run("unblock")).isEqualTo(2);
        assertThat(operations()).containsExactly("ann unblock 1");
    }

    @Test
    void cleansUpOnceAndCounts() {
        TestOutbox audited = new TestOutbox(AuditTrail.PLAIN);
        shell.set("POSTRIDER_URL", audited.url());
        audited.write("orders", 5);
        audited.deliverAll();
        audited.write("pay", 2);
        audited.rejectAll();
        audited.write("mails", 1);

        assertThat(shell.run("cleanup", "--once", "--retention", "1ms", "--include-dead", "--limit", "2", "--verbose"))
                .isZero();
        assertThat(shell.out()).contains("done: deleted 5 delivered messages, 2 dead letters, 0 dedup keys, 0 records");
        assertThat(shell.err()).contains("deleted 2 of");
        assertThat(audited.store().stats().undelivered()).isEqualTo(1);

        assertThat(shell.run("cleanup", "--once")).isEqualTo(2);
        assertThat(shell.err()).contains("--retention");
    }

    @Test
    void saysThatPartitionsNeedADatabaseThatHasThem() {
        assertThat(shell.run("partitions", "--once", "--period", "day")).isEqualTo(2);
        assertThat(shell.err()).contains("has no range partitions");
        assertThat(shell.run("partitions", "--once")).isEqualTo(2);
        assertThat(shell.err()).contains("--period");
    }

    @Test
    void showsDeliveriesFromTheAuditTrail() {
        assertThat(shell.run("tail", "--once")).isEqualTo(1);
        assertThat(shell.err()).contains("keeps no audit trail");

        TestOutbox audited = new TestOutbox(AuditTrail.PLAIN);
        shell.set("POSTRIDER_URL", audited.url());
        List<MessageId> ids = new ArrayList<>(audited.write("orders", 4));
        ids.addAll(audited.write(MessageId.of("user-created-123")));
        audited.deliverAll();

        assertThat(shell.run("tail", "--once", "--since", "1h", "--output", "json"))
                .as(shell.err())
                .isZero();
        assertThat(shell.lines()).hasSize(5);
        assertThat(ids).allMatch(id -> shell.out().contains(id.toString()));
        assertThat(shell.out()).doesNotContain("hidden");
        assertThat(shell.run("tail", "--once", "--since", "2999-01-01")).isZero();
        assertThat(shell.out()).isEmpty();
    }
}
