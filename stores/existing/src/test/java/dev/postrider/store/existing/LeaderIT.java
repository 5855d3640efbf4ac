package dev.postrider.store.existing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.Relay;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Ordering;
import dev.postrider.testkit.RecordingDestination;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One active relay keeps the order of keys, whatever the table can remember. */
class LeaderIT {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final RecordingDestination broker = new RecordingDestination("broker");

    static Stream<Arguments> layouts() {
        return Stream.of(
                Arguments.of(Server.POSTGRES, Preset.EVENT_OUTBOX),
                Arguments.of(Server.POSTGRES, Preset.OUTBOX_EVENTS),
                Arguments.of(Server.MYSQL, Preset.ENUM_STATUS));
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void keepsTheOrderOfEveryKeyWhileSomeRowsFailAndTwoRelaysRun(Server server, Preset preset) {
        Tables tables = Tables.empty(server, preset);
        List<String> ids = tables.insert(50);
        Set<String> failedOnce = ConcurrentHashMap.newKeySet();
        broker.answer(message -> message.id().toString().equals(ids.get(0)) && failedOnce.add(ids.get(0))
                ? DeliveryResult.retry("busy")
                : DeliveryResult.DELIVERED);

        try (Relay first = relay(tables);
                Relay second = relay(tables)) {
            first.start();
            second.start();
            broker.awaitDelivered(50, LONG);
        }

        for (int key = 0; key < 5; key++) {
            int number = key;
            assertThat(CompetingRelaysIT.idsOf(ofKey("key-" + key)))
                    .isEqualTo(IntStream.range(0, 50)
                            .filter(n -> n % 5 == number)
                            .mapToObj(ids::get)
                            .toList());
        }
        assertThat(tables.store().build().stats().undelivered()).isZero();
    }

    private Relay relay(Tables tables) {
        return Relay.builder(tables.store().leader("orders").build(), broker)
                .ordering(Ordering.PER_KEY)
                .lease(Duration.ofSeconds(30))
                .backoff(Backoff.constant(Duration.ofMillis(50)))
                .build();
    }

    private List<OutboxMessage> ofKey(String key) {
        return broker.delivered().stream()
                .filter(message -> message.key().equals(Optional.of(key)))
                .toList();
    }
}
