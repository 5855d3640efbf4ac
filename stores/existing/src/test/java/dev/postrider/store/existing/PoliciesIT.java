package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.OnExhausted;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OutboxStore.Part;
import dev.postrider.testkit.RecordingDestination;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens when the attempts of a row have run out, by each policy, whatever the table can remember. */
class PoliciesIT {

    private static final String LEADERS = "dev.postrider.store.existing.Layouts#leaders";

    private final RecordingDestination broker = new RecordingDestination("broker");

    @ParameterizedTest
    @MethodSource(LEADERS)
    void blocksAKeyUntilAnOperatorUnblocksItAndGoesOnInOrder(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        List<String> ids = twoOfOneKeyAndOneOfAnother(tables);
        OutboxStore store = tables.leaderStore();

        drain(store, OnExhausted.BLOCK_KEY, Ordering.PER_KEY);
        drain(store, OnExhausted.BLOCK_KEY, Ordering.PER_KEY);

        assertThat(broker.sent()).hasSize(2);
        assertThat(delivered()).containsExactly(ids.get(2));
        assertThat(store.stats().dead()).isZero();
        assertThat(store.stats().held()).isEqualTo(1);

        broker.answer(message -> DeliveryResult.DELIVERED);
        assertThat(store.unblock(Optional.of("another"), "op")).isZero();
        assertThat(store.unblock(Optional.of("key"), "op")).isEqualTo(1);
        drain(store, OnExhausted.BLOCK_KEY, Ordering.PER_KEY);
        assertThat(delivered()).containsExactly(ids.get(2), ids.get(0), ids.get(1));
    }

    @ParameterizedTest
    @MethodSource(LEADERS)
    void letsTheKeyGoOnWhenOnlyTheMessageIsGivenUp(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        List<String> ids = twoOfOneKeyAndOneOfAnother(tables);
        OutboxStore store = tables.leaderStore();

        drain(store, OnExhausted.DEAD_LETTER, Ordering.PER_KEY);

        assertThat(delivered()).containsExactlyInAnyOrder(ids.get(1), ids.get(2));
        assertThat(store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10))
                .singleElement()
                .satisfies(letter -> assertThat(letter.message().id()).hasToString(ids.get(0)))
                .satisfies(letter -> assertThat(textOf(letter.message())).isEqualTo("{\"n\": 0}"));
    }

    @ParameterizedTest
    @MethodSource(LEADERS)
    void blocksNoKeyThatTheDatabaseTakesForEqual(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        List<String> ids = twoOfOneKeyAndOneOfAnother(tables);
        OutboxStore store = tables.leaderStore();
        drain(store, OnExhausted.BLOCK_KEY, Ordering.PER_KEY);
        List<String> alike = insertAlikeKeys(tables);

        drain(store, OnExhausted.BLOCK_KEY, Ordering.PER_KEY);

        assertThat(delivered()).contains(ids.get(2)).containsAll(alike).hasSize(4);
        assertThat(store.unblock(Optional.of("KEY"), "op")).isZero();
        assertThat(store.unblock(Optional.of("key"), "op")).isEqualTo(1);
    }

    /** Tables with a column for the next attempt or the last one. */
    static Stream<Arguments> withTimes() {
        return Layouts.leaders().filter(layout -> layout.get()[1] != Preset.OUTBOX_EVENTS);
    }

    /** As the command line does it, in another process than the relay. */
    @ParameterizedTest
    @MethodSource("withTimes")
    void blocksAKeyAcrossRestartsUntilAnotherProcessUnblocksIt(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        List<String> ids = twoOfOneKeyAndOneOfAnother(tables);

        drain(tables.leaderStore(), OnExhausted.BLOCK_KEY, Ordering.PER_KEY);
        drain(tables.leaderStore(), OnExhausted.BLOCK_KEY, Ordering.PER_KEY);
        assertThat(broker.sent()).hasSize(2);
        assertThat(tables.leaderStore().whyNotShared(Part.BLOCKED)).isEmpty();
        assertThat(tables.leaderStore().unblock(Optional.of("key"), "op")).isEqualTo(1);

        broker.answer(message -> DeliveryResult.DELIVERED);
        drain(tables.leaderStore(), OnExhausted.BLOCK_KEY, Ordering.PER_KEY);
        assertThat(delivered()).containsExactly(ids.get(2), ids.get(0), ids.get(1));
    }

    private static List<String> insertAlikeKeys(Tables tables) {
        return Stream.of("KEY", "k\u00e9y", "key ")
                .map(key -> tables.insert(key, "{}"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource(LEADERS)
    void stopsEverythingBehindARowThatWaitsWhereAllIsOneQueue(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        twoOfOneKeyAndOneOfAnother(tables);
        OutboxStore store = tables.leaderStore();

        drain(store, OnExhausted.BLOCK_KEY, Ordering.GLOBAL);
        drain(store, OnExhausted.BLOCK_KEY, Ordering.GLOBAL);

        assertThat(broker.sent()).hasSize(1);
        broker.answer(message -> DeliveryResult.DELIVERED);
        store.unblock(Optional.empty(), "op");
        drain(store, OnExhausted.BLOCK_KEY, Ordering.GLOBAL);
        assertThat(broker.delivered()).hasSize(3);
    }

    @Test
    void saysWhyAnotherProcessCannotUnblockAKeyOfATableWithoutTimes() {
        OutboxStore store = Tables.empty(Server.POSTGRES, Preset.OUTBOX_EVENTS).leaderStore();

        assertThat(store.whyNotShared(Part.BLOCKED).orElseThrow())
                .contains("outbox_events", "Restart that relay", "'next-attempt'");
    }

    private List<String> twoOfOneKeyAndOneOfAnother(Tables tables) {
        broker.answer(message ->
                textOf(message).equals("{\"n\": 0}") ? DeliveryResult.retry("busy") : DeliveryResult.DELIVERED);
        return List.of(
                tables.insert("key", "{\"n\": 0}"),
                tables.insert("key", "{\"n\": 1}"),
                tables.insert("another", "{\"n\": 2}"));
    }

    private List<String> delivered() {
        return CompetingRelaysIT.idsOf(broker.delivered());
    }

    private void drain(OutboxStore store, OnExhausted policy, Ordering ordering) {
        try (Relay relay = Relay.builder(store, broker)
                .ordering(ordering)
                .maxAttempts(1)
                .onExhausted(policy)
                .build()) {
            relay.drainOnce();
        }
    }

    private static String textOf(OutboxMessage message) {
        return new String(message.payload(), StandardCharsets.UTF_8);
    }
}
