package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Health;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testservers.NotOnTidb;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must be true of every status layout, whichever way its rows are claimed. */
@NotOnTidb("nobody can claim rows there, see refusesToClaimRowsOfTidbAndSaysWhy")
class CompetingRelaysIT {

    private static final String LAYOUTS = "dev.postrider.store.existing.Layouts#all";
    /** Longer than any claim lasts. */
    private static final Duration LONG = Duration.ofSeconds(90);

    private final RecordingDestination broker = new RecordingDestination("broker");

    @ParameterizedTest
    @MethodSource(LAYOUTS)
    void deliversEveryRowOnceAndLeavesNothingToDo(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        List<String> ids = tables.insert(250);

        assertThat(relay(tables.store().build()).build().drainOnce().delivered())
                .isEqualTo(250);

        assertThat(idsOf(broker.delivered())).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(relay(tables.store().build()).build().drainOnce().delivered())
                .isZero();
        assertThat(tables.store().build().stats().undelivered()).isZero();
    }

    /** The old relays did so too, with one worker: whoever moves over may rely on it. */
    @ParameterizedTest
    @MethodSource(LAYOUTS)
    void sendsTheRowsOfAKeyInTheirOrderWithOneRelayAndManyWorkers(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        List<String> ids = tables.insert(300);

        try (Relay relay = relay(tables.store().lanes(4).batchRows(7).build())
                .workers(4)
                .batchSize(7)
                .build()) {
            relay.start();
            broker.awaitDelivered(ids.size(), LONG);
        }

        for (int key = 0; key < 5; key++) {
            int number = key;
            assertThat(idsOf(broker.sent().stream()
                            .filter(message -> message.key().equals(Optional.of("key-" + number)))
                            .toList()))
                    .isEqualTo(IntStream.range(0, 300)
                            .filter(n -> n % 5 == number)
                            .mapToObj(ids::get)
                            .toList());
        }
    }

    /** A pause would be one of an hour. */
    @ParameterizedTest
    @MethodSource(LAYOUTS)
    void doesNotPauseBetweenFullBatches(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        tables.insert(15);

        try (Relay relay = relay(tables.store().lanes(1).batchRows(5).build())
                .workers(1)
                .batchSize(5)
                .minPollInterval(Duration.ofHours(1))
                .maxPollInterval(Duration.ofHours(1))
                .build()) {
            relay.start();
            broker.awaitDelivered(15, LONG);
        }
    }

    @ParameterizedTest
    @MethodSource(LAYOUTS)
    void sharesRowsAmongRelaysWithoutSendingAnyTwice(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        List<String> ids = tables.insert(300);

        try (Relay first = relay(tables.store().batchRows(20).build()).build();
                Relay second = relay(tables.store().batchRows(20).build()).build()) {
            first.start();
            second.start();
            broker.awaitDelivered(ids.size(), LONG);
        }

        assertThat(idsOf(broker.delivered())).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(tables.store().build().stats().undelivered()).isZero();
    }

    @ParameterizedTest
    @MethodSource(LAYOUTS)
    void triesAFailedRowAgainWhenItIsDueWhileOthersGoOn(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        List<String> ids = tables.insert(10);
        broker.answer(message -> isFirst(message) && broker.sent().size() <= 10
                ? DeliveryResult.retry("busy")
                : DeliveryResult.DELIVERED);

        try (Relay relay = relay(tables.store().build()).build()) {
            relay.start();
            broker.awaitDelivered(10, LONG);
        }

        assertThat(idsOf(broker.delivered())).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(idsOf(broker.delivered().subList(9, 10))).containsExactly(ids.get(0));
    }

    @ParameterizedTest
    @MethodSource(LAYOUTS)
    void givesUpARejectedRowAndDeliversItWhenAnOperatorAsks(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        tables.insert(3);
        broker.answer(message -> isFirst(message) ? DeliveryResult.reject("never") : DeliveryResult.DELIVERED);
        OutboxStore store = tables.store().build();

        assertThat(relay(store).build().drainOnce().dead()).isEqualTo(1);
        assertThat(relay(store).build().drainOnce().dead()).isZero();
        assertThat(store.stats().dead()).isEqualTo(1);
        assertThat(store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10))
                .singleElement()
                .satisfies(letter -> assertThat(letter.error()).contains("never"));

        broker.answer(message -> DeliveryResult.DELIVERED);
        store.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "op");
        assertThat(relay(store).build().drainOnce().delivered()).isEqualTo(1);
        assertThat(store.stats().dead()).isZero();
    }

    @ParameterizedTest
    @MethodSource(LAYOUTS)
    void countsNoAttemptInAnOutageAndLetsAnotherRelayHaveTheRows(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        List<String> ids = tables.insert(20);
        RecordingDestination unreachable = new RecordingDestination("broker");
        unreachable.answer(message -> DeliveryResult.outage("cut"));
        unreachable.setHealth(Health.down("cut"));

        try (Relay cut = Relay.builder(tables.store().build(), unreachable)
                        .ordering(Ordering.NONE)
                        .lease(Duration.ofSeconds(3))
                        .build();
                Relay other = relay(tables.store().build()).build()) {
            cut.start();
            unreachable.awaitSent(1, LONG);
            other.start();
            broker.awaitDelivered(ids.size(), LONG);
        }

        assertThat(idsOf(broker.delivered())).containsExactlyInAnyOrderElementsOf(ids);
    }

    @ParameterizedTest
    @MethodSource(LAYOUTS)
    void givesUpARowThatIsTooLargeAndReadsTheRest(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        tables.insert("k", "{\"n\": \"" + "x".repeat(5000) + "\"}");
        tables.insert(2);
        OutboxStore store = tables.store()
                .limits(MessageLimits.defaults().withMaxPayloadBytes(2000).withMaxHeaderBytes(1000))
                .build();

        assertThat(relay(store).build().drainOnce())
                .satisfies(report -> assertThat(report.delivered()).isEqualTo(2))
                .satisfies(report -> assertThat(report.dead()).isEqualTo(1));
    }

    @ParameterizedTest
    @MethodSource(LAYOUTS)
    void givesRowsBackAtOnceWhenClosed(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        List<String> ids = tables.insert(50);
        RecordingDestination slow = new RecordingDestination("slow");
        slow.hold();

        try (Relay first = Relay.builder(tables.store().build(), slow)
                .ordering(Ordering.NONE)
                .maxInFlight(2)
                .build()) {
            first.start();
            slow.awaitSent(1, LONG);
            slow.release();
        }
        relay(tables.store().build()).build().drainOnce();

        Set<String> all =
                broker.delivered().stream().map(m -> m.id().toString()).collect(Collectors.toSet());
        assertThat(idsOf(broker.delivered())).doesNotContainAnyElementsOf(idsOf(slow.delivered()));
        slow.delivered().forEach(message -> all.add(message.id().toString()));
        assertThat(all).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(tables.store().build().stats().undelivered()).isZero();
    }

    private RelayBuilder relay(OutboxStore store) {
        return Relay.builder(store, broker)
                .ordering(Ordering.NONE)
                .lease(Duration.ofSeconds(30))
                .backoff(Backoff.constant(Duration.ofMillis(50)))
                .maxAttempts(5);
    }

    private static boolean isFirst(OutboxMessage message) {
        return new String(message.payload(), StandardCharsets.UTF_8).equals("{\"n\": 0}");
    }

    static List<String> idsOf(List<OutboxMessage> messages) {
        return messages.stream().map(message -> message.id().toString()).toList();
    }
}
