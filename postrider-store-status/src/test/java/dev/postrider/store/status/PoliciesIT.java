package dev.postrider.store.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.OnExhausted;
import dev.postrider.relay.Relay;
import dev.postrider.spi.Change;
import dev.postrider.spi.Change.DeadReason;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OutboxStore.Part;
import dev.postrider.spi.StoreException;
import dev.postrider.testkit.RecordingDestination;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens when the attempts of a row have run out, by each policy, whatever the table can remember. */
class PoliciesIT {

    private static final String LEADERS = "dev.postrider.store.status.Layouts#leaders";

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
        assertThat(store.held().unblock(Optional.of("another"), "op")).isZero();
        assertThat(store.held().unblock(Optional.of("key"), "op")).isEqualTo(1);
        drain(store, OnExhausted.BLOCK_KEY, Ordering.PER_KEY);
        assertThat(delivered()).containsExactly(ids.get(2), ids.get(0), ids.get(1));
    }

    @ParameterizedTest
    @MethodSource(LEADERS)
    void givesUpAWholeKeyAndDeliversItInOrderWhenAnOperatorAsks(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        List<String> ids = twoOfOneKeyAndOneOfAnother(tables);
        OutboxStore store = tables.leaderStore();

        drain(store, OnExhausted.DEAD_LETTER_KEY, Ordering.PER_KEY);
        drain(store, OnExhausted.DEAD_LETTER_KEY, Ordering.PER_KEY);

        assertThat(delivered()).containsExactly(ids.get(2));
        assertThat(store.stats().dead()).isPositive();

        broker.answer(message -> DeliveryResult.DELIVERED);
        store.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "op");
        drain(store, OnExhausted.DEAD_LETTER_KEY, Ordering.PER_KEY);
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
        assertThat(store.held().unblock(Optional.of("KEY"), "op")).isZero();
        assertThat(store.held().unblock(Optional.of("key"), "op")).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(LEADERS)
    void givesUpNoKeyThatTheDatabaseTakesForEqual(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        twoOfOneKeyAndOneOfAnother(tables);
        insertAlikeKeys(tables);
        OutboxStore store = tables.leaderStore();
        TakenLane lane = store.leases().take(0, "relay", Duration.ofMinutes(1)).orElseThrow();

        store.settlements().apply(lane.lease(), Ordering.PER_KEY, List.of(buryKeyOfFirst(store, lane)));

        assertThat(store.stats().undelivered()).isEqualTo(preset == Preset.OUTBOX_EVENTS ? 6 : 4);
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
        assertThat(tables.leaderStore().notShared(Part.BLOCKED)).isEmpty();
        assertThat(tables.leaderStore().held().unblock(Optional.of("key"), "op"))
                .isEqualTo(1);

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
        store.held().unblock(Optional.empty(), "op");
        drain(store, OnExhausted.BLOCK_KEY, Ordering.GLOBAL);
        assertThat(broker.delivered()).hasSize(3);
    }

    @Test
    void saysWhyAnotherProcessCannotUnblockAKeyOfATableWithoutTimes() {
        OutboxStore store = Tables.empty(Server.POSTGRES, Preset.OUTBOX_EVENTS).leaderStore();

        assertThat(store.notShared(Part.BLOCKED).orElseThrow())
                .contains("outbox_events", "Restart that relay", "'next-attempt'");
    }

    @ParameterizedTest
    @MethodSource(LEADERS)
    void givesUpAWholeKeyOrNothingOfItWhereverTheProcessDies(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        CutDataSource cut = new CutDataSource(tables.dataSource());
        int step = 0;
        do {
            cut.cutBefore(Integer.MAX_VALUE);
            tables = Tables.empty(server, preset);
            twoOfOneKeyAndOneOfAnother(tables);
            OutboxStore dying = tables.leaderStore(cut.dataSource());
            TakenLane lane =
                    dying.leases().take(0, "dying", Duration.ofMinutes(1)).orElseThrow();
            dying.held().repair(lane.lease(), Ordering.PER_KEY, Set.of("broker"));
            Change bury = buryKeyOfFirst(dying, lane);
            cut.cutBefore(step++);
            try {
                dying.settlements().apply(lane.lease(), Ordering.PER_KEY, List.of(bury));
            } catch (StoreException dead) {
                assertThat(cut.isCut()).isTrue();
            }
            assertThat(undelivered(tables)).isIn(1L, 3L);
        } while (cut.isCut());
        assertThat(step).isGreaterThan(3);
    }

    private static Change buryKeyOfFirst(OutboxStore store, TakenLane lane) {
        LaneScan scan = store.openScan();
        scan.add(lane);
        OutboxRow first = scan.fetch(new FetchRequest(Set.of(0), new NothingKnown(), Set.of(), 10, 1_000_000))
                .rows()
                .get(0);
        return new Change.BuryKey(first.ref(), "broker", false, "key", DeadReason.ATTEMPTS_EXHAUSTED, 1, "no");
    }

    private static long undelivered(Tables tables) {
        // A table without a place for those that were given up remembers nothing of them, whether or not the process
        // dies.
        return tables.preset == Preset.OUTBOX_EVENTS
                ? 3
                : tables.leaderStore().stats().undelivered();
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
