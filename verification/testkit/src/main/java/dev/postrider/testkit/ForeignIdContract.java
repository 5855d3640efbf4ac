package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.message.MessageIdGenerator;
import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ids that are no UUIDs of ours: every table keeps them as they are. */
interface ForeignIdContract extends ContractPart {

    /** The id of an old system, a UUID in upper case, one without dashes, and one with everything that a text may have. */
    List<String> IDS = List.of(
            "order-42",
            "0190A3F2-7C1E-7B3A-9F00-123456789ABC",
            "0190a3f27c1e7b3a9f00123456789abc",
            " Größe/\u65e5\u672c\ud83d\ude80 %20'\"\\\n\t ");

    private OutboxMessage message(String id) {
        return OutboxMessage.builder("orders")
                .id(MessageId.of(id))
                .type("placed")
                .key(id)
                .build();
    }

    private List<OutboxMessage> commitAll() {
        List<OutboxMessage> messages = IDS.stream().map(this::message).toList();
        driver().commit(messages.toArray(OutboxMessage[]::new));
        return messages;
    }

    private static List<String> texts(List<? extends OutboxRow> rows) {
        return rows.stream().map(row -> row.id().text()).toList();
    }

    @Test
    default void keepsAForeignIdInTheHotTable() {
        OutboxMessage own = StoreDriver.message("a");
        driver().commit(own);
        List<OutboxMessage> foreign = commitAll();
        driver().commit(message("mixed"), StoreDriver.message("b"));

        assertThat(texts(driver().hotRows())).contains(own.id().text(), "mixed").containsAll(IDS);
        assertThat(driver().hotRows())
                .allSatisfy(
                        row -> assertThat(((OutboxRow.Hot) row).message().id().text())
                                .isEqualTo(row.id().text()));
        assertThat(driver().hotIds()).containsAll(StoreDriver.idsOf(foreign));
    }

    @Test
    default void keepsAForeignIdWhileItIsHeld() {
        commitAll().forEach(message -> driver().hold(message, Duration.ZERO));

        assertThat(texts(driver().fetchDue(Ordering.PER_KEY, 0).rows())).containsExactlyInAnyOrderElementsOf(IDS);
        assertThat(driver().store().heldReport(10).heads())
                .extracting(head -> head.ref().id().text())
                .containsExactlyInAnyOrderElementsOf(IDS);
    }

    @Test
    default void findsRetriesAndDiscardsADeadLetterByItsForeignId() {
        commitAll().forEach(driver()::bury);

        assertThat(IDS).allSatisfy(id -> {
            assertThat(driver().deadLetter(message(id)).ref().id().text()).isEqualTo(id);
            assertThat(driver().deadLetter(message(id)).message().id().text()).isEqualTo(id);
        });
        assertThat(driver().store().deadLetters().find(MessageId.of("order-43")))
                .isEmpty();
        DeadLetterFilter first = DeadLetterFilter.byId(MessageId.of(IDS.get(0)));
        RowRef ref = driver().deadLetter(message(IDS.get(0))).ref();
        assertThat(driver().store().deadLetters().requestRetry(first, 10, "ann"))
                .isOne();
        driver().relayStore().held().adoptRetries(driver().lease(ref), 10);
        driver().assignAll(ref.lane(), Ordering.PER_KEY, StoreDriver.BROKER);
        assertThat(texts(driver().fetchDue(Ordering.PER_KEY, 0).rows())).containsExactly(IDS.get(0));
        assertThat(driver().store().deadLetters().discard(DeadLetterFilter.byId(MessageId.of(IDS.get(1))), 10, "ann"))
                .isOne();
        assertThat(driver().deadLetters()).hasSize(IDS.size() - 2);
    }

    @Test
    default void keepsAForeignIdUntilItIsDue() {
        OutboxMessage delayed = OutboxMessage.builder("orders")
                .id(MessageId.of("later"))
                .type("placed")
                .deliverAfter(Duration.ofMillis(1))
                .build();
        driver().commit(delayed);

        driver().fixture().letPass(Duration.ofMillis(5));
        driver().relayStore().releaseDelayed(driver().allLanes(), 10);

        assertThat(texts(driver().hotRows())).containsExactly("later");
    }

    @Test
    default void keepsAForeignIdInTheAuditTrail() {
        driver(new StoreFixture.Setup(4, MessageLimits.defaults(), true));
        MessageId own = MessageIdGenerator.uuidV7().next();
        driver().commit(
                        message("order-42"),
                        OutboxMessage.builder("orders").id(own).type("placed").build());

        Relay.withDefaults(driver().store(), new RecordingDestination("recording"))
                .drainOnce();

        assertThat(driver().fixture().kept())
                .extracting(MessageId::text)
                .containsExactlyInAnyOrder("order-42", own.text());
    }
}
