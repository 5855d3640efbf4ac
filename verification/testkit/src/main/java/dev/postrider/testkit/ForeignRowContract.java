package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.Lane;
import dev.postrider.message.MessageId;
import dev.postrider.message.MessageIdGenerator;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.DrainReport;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowOutcome;
import dev.postrider.testkit.StoreFixture.ForeignRow;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rows that others wrote: good ones are messages, bad ones become dead letters without being read into memory. */
interface ForeignRowContract extends ContractPart {

    private ForeignRow row(String type, String headers, byte[] payload) {
        int lane = Lane.forKey("foreign", driver().store().laneCount());
        MessageId id = MessageIdGenerator.uuidV7().next();
        return new ForeignRow(lane, id, "orders", "foreign", type, headers, "text/plain", payload);
    }

    private OutboxRow insert(ForeignRow row) {
        driver().fixture().insertForeign(row);
        return driver().hotRows().stream()
                .filter(found -> found.id().equals(row.id()))
                .findFirst()
                .orElseThrow();
    }

    private OutboxRow.Unreadable insertUnreadable(ForeignRow row) {
        OutboxRow found = insert(row);
        assertThat(found).isInstanceOf(OutboxRow.Unreadable.class);
        assertThat(found.key()).contains("foreign");
        return (OutboxRow.Unreadable) found;
    }

    @Test
    default void readsARowOfAnotherWriter() {
        OutboxRow found = insert(row("placed", " { \"a\" : \"\\u00e4\\n\" } ", StoreDriver.bytes("hello")));

        OutboxMessage message = ((OutboxRow.Hot) found).message();
        assertThat(message.type()).isEqualTo("placed");
        assertThat(message.headers().asMap()).isEqualTo(Map.of("a", "ä\n"));
        assertThat(message.payload()).asString().isEqualTo("hello");
    }

    @Test
    default void reportsAPayloadBeyondTheLimitAsUnreadable() {
        driverWithLimits(new MessageLimits(1_000, 1_000));

        OutboxRow.Unreadable found = insertUnreadable(row("placed", "", new byte[1_001]));

        assertThat(found.reason()).contains("payload", "1001", "1000");
    }

    @Test
    default void reportsHeadersBeyondTheLimitAsUnreadable() {
        driverWithLimits(new MessageLimits(1_000, 1_000));

        OutboxRow.Unreadable found =
                insertUnreadable(row("placed", "{\"a\":\"" + "x".repeat(1_001) + "\"}", new byte[0]));

        assertThat(found.reason()).contains("headers", "1,000");
    }

    @Test
    default void reportsHeadersThatAreNoObjectOfStringsAsUnreadable() {
        assertThat(insertUnreadable(row("placed", "[\"a\"]", new byte[0])).reason())
                .contains("JSON object of strings");
        assertThat(insertUnreadable(row("placed", "{\"a\":1}", new byte[0])).reason())
                .contains("JSON object of strings");
    }

    @Test
    default void reportsAControlCharacterInTheTypeAsUnreadable() {
        assertThat(insertUnreadable(row("pla\nced", "", new byte[0])).reason()).contains("type");
    }

    @Test
    default void returnsReadableRowsBesideUnreadableOnes() {
        driverWithLimits(new MessageLimits(1_000, 1_000));
        OutboxMessage before = StoreDriver.message("foreign");
        OutboxMessage after = StoreDriver.message("foreign");
        driver().commit(before);
        ForeignRow large = row("placed", "", new byte[900_000]);
        driver().fixture().insertForeign(large);
        driver().commit(after);

        // What is not read takes no room either.
        FetchRequest request = new FetchRequest(driver().allLanes(), StoreDriver.NOTHING_KNOWN, Set.of(), 10, 2_000);
        List<OutboxRow> rows = driver().scan().fetch(request).rows();

        assertThat(StoreDriver.ids(rows)).containsExactly(before.id(), large.id(), after.id());
        assertThat(rows)
                .hasExactlyElementsOfTypes(OutboxRow.Hot.class, OutboxRow.Unreadable.class, OutboxRow.Hot.class);
    }

    @Test
    default void showsAnUnreadableDeadLetterAsFarAsItCanBeShown() {
        OutboxRow.Unreadable found = insertUnreadable(row("pla\nced", "[]", StoreDriver.bytes("x")));

        driver().apply(RowOutcome.hot(found.ref(), new RowOutcome.Dead(DeadReason.UNREADABLE, 0, found.reason())));

        DeadLetter letter = driver().store().deadLetters().find(found.id()).orElseThrow();
        assertThat(driver().hotRows()).isEmpty();
        assertThat(letter.reason()).isEqualTo(DeadReason.UNREADABLE);
        assertThat(letter.error()).isEqualTo(found.reason());
        assertThat(letter.firstFailedAt()).isEmpty();
        assertThat(letter.message().id()).isEqualTo(found.id());
        assertThat(letter.message().topic()).isEqualTo("orders");
        assertThat(letter.message().type()).isEqualTo("pla\uFFFDced");
    }

    @Test
    default void neverRetriesAnUnreadableDeadLetter() {
        OutboxRow.Unreadable found = insertUnreadable(row("placed", "[]", new byte[0]));
        driver().apply(RowOutcome.hot(found.ref(), new RowOutcome.Dead(DeadReason.UNREADABLE, 0, found.reason())));

        assertThat(driver().store().deadLetters().requestRetry(DeadLetterFilter.all(), 10, "ann"))
                .isZero();
        assertThat(driver().store().deadLetters().discard(DeadLetterFilter.all(), 10, "ann"))
                .isOne();
    }

    @Test
    default void deliversWhatFollowsRowsThatCannotBeReadAndShowsThoseToOperators() {
        driverWithLimits(new MessageLimits(1_000, 1_000));
        List<ForeignRow> bad = List.of(
                row("placed", "", new byte[1_001]),
                row("placed", "[\"a\"]", new byte[0]),
                row("placed", "{\"a\":\"" + "x".repeat(1_001) + "\"}", new byte[0]),
                row("pla\nced", "", new byte[0]));
        bad.forEach(driver().fixture()::insertForeign);
        OutboxMessage after = StoreDriver.message("foreign");
        driver().commit(after);
        RecordingDestination destination = new RecordingDestination("recording");

        DrainReport report = Relay.withDefaults(driver().store(), destination).drainOnce();

        assertThat(report.delivered()).isOne();
        assertThat(report.dead()).isEqualTo(bad.size());
        assertThat(driver().deadLetters())
                .hasSize(bad.size())
                .allMatch(letter -> letter.reason() == DeadReason.UNREADABLE
                        && !letter.error().isBlank());
        assertThat(driver().hotRows()).isEmpty();
    }

    @Test
    default void refusesALaneThatNobodyOwns() {
        ForeignRow good = row("placed", "", new byte[0]);
        int lanes = driver().store().laneCount();
        ForeignRow lost = new ForeignRow(
                lanes, good.id(), good.topic(), good.key(), good.type(), "", good.contentType(), good.payload());

        if (driver().fixture().refusesForeignLanes()) {
            assertThatThrownBy(() -> driver().fixture().insertForeign(lost)).isInstanceOf(RuntimeException.class);
            assertThat(driver().hotRows()).isEmpty();
        } else {
            assertThat(insert(lost).lane()).isEqualTo(good.lane());
        }
    }
}
