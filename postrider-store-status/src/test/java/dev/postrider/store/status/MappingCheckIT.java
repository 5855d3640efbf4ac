package dev.postrider.store.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.relay.Relay;
import dev.postrider.spi.OutboxStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A mapping is compared with the real table, and everything that does not fit is said at once. */
class MappingCheckIT {

    @ParameterizedTest
    @EnumSource(Server.class)
    void namesEveryColumnThatIsMissingOrOfAnotherType(Server server) {
        Tables tables = Tables.empty(server, Preset.OUTBOX_EVENTS);
        TableMapping wrong = Preset.OUTBOX_EVENTS.mapping().toBuilder()
                .column(Role.ATTEMPTS, "entity_id")
                .column(Role.NEXT_ATTEMPT, "due")
                .column(Role.HEADERS, "created_at")
                .deadTable("graveyard")
                .build();

        assertThatThrownBy(() ->
                        StatusOutboxStore.builder(tables.dataSource(), wrong).build())
                .isInstanceOfSatisfying(
                        MappingException.class,
                        report -> assertThat(report.problems())
                                .hasSize(4)
                                .anyMatch(text -> text.contains(
                                        "column due, mapped as next-attempt, is missing; the table has id"))
                                .anyMatch(text -> text.contains("entity_id, mapped as attempts, is of type")
                                        && text.contains("expected number"))
                                .anyMatch(text -> text.contains("created_at, mapped as headers"))
                                .anyMatch(text -> text.contains("no table graveyard")));
    }

    @Test
    void namesAStatusThatTheColumnCannotHold() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.ENUM_STATUS);
        TableMapping wrong = Preset.ENUM_STATUS.mapping().toBuilder()
                .status(StatusValues.of("status", "new").withSending("sending").withDelivered("sent"))
                .build();

        assertThatThrownBy(() ->
                        StatusOutboxStore.builder(tables.dataSource(), wrong).build())
                .hasMessageContaining("status 'new' is not among the values of column status: enum('pending'");
    }

    @Test
    void namesATableThatDoesNotExist() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX);
        TableMapping other =
                Preset.EVENT_OUTBOX.mapping().toBuilder().table("nowhere").build();

        assertThatThrownBy(() ->
                        StatusOutboxStore.builder(tables.dataSource(), other).build())
                .hasMessageContaining("Table nowhere does not fit its mapping")
                .hasMessageContaining("there is no such table");
    }

    @Test
    void refusesAWindowOnATableWithoutPartitions() {
        Tables tables = Tables.empty(Server.MYSQL, Preset.RECORDS);

        assertThatThrownBy(() ->
                        tables.store().window(java.time.Duration.ofHours(1)).build())
                .hasMessageContaining("a window needs a partitioned table");
    }

    @Test
    void refusesToKeepOrderAmongCompetingRelays() {
        Tables tables = Tables.empty(Server.POSTGRES, Preset.EVENT_OUTBOX);
        OutboxStore store = tables.store().build();

        assertThatThrownBy(() -> Relay.withDefaults(store, new dev.postrider.testkit.RecordingDestination("broker")))
                .hasMessageContaining("event_outbox cannot keep Ordering.PER_KEY, only [NONE]");
    }
}
