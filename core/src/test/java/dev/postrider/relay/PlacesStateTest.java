package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.relay.Places.Wait;
import dev.postrider.relay.RelayFixture.ScriptedDestination;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Unavailable;
import dev.postrider.spi.HeldMessages.Place;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a place is tried, who may try it, and how long it is remembered. The back-off is a second, then two, then three. */
class PlacesStateTest {

    private static final Unavailable NO_QUEUE = DeliveryResult.unavailable("queue q", "nobody bound it");
    private static final Unavailable NO_TOPIC =
            DeliveryResult.unavailable("topic orders", "it does not exist").concerningTopic(true);

    private final RelayFixture relay = new RelayFixture();
    private final DestinationGate gate = new DestinationGate(new ScriptedDestination(), relay.context());
    private final WorkerGate worker = new WorkerGate(gate, relay.context().options());
    private final Places places = gate.places();
    private int seq;

    @Test
    void onlyOneOfThoseThatWaitTriesAPlaceHoweverManyTheyAre() {
        Wait wait = places.failed(fresh(), NO_QUEUE);
        int sends = 0;
        for (int second = 0; second < 600; second++) {
            for (int i = 0; i < 1_000; i++) {
                TrackedMessage waiting = held(wait.reason());
                if (places.mayTry(waiting)) {
                    sends++;
                    places.failed(waiting, NO_QUEUE);
                }
            }
            relay.advance(Duration.ofSeconds(1));
        }
        // Ten minutes: 1 + 2 + 3 + … seconds apart.
        assertThat(sends).isBetween(20, 40);
        assertThat(relay.events).containsExactly("unavailable: queue q");
    }

    @Test
    void thoseThatWereNotTriedMayGoElsewhereUnlessThePlaceIsTheTopic() {
        Wait wait = places.failed(fresh(), NO_QUEUE);
        assertThat(places.mayTry(held(wait.reason()))).isFalse();
        assertThat(places.mayTry(held("failed"))).isTrue();
        assertThat(places.mayTry(fresh())).isTrue();
        assertThat(places.closed()).containsExactly(new Place("broker", "orders", Optional.of(wait.reason())));

        places.failed(fresh(), NO_TOPIC);
        assertThat(places.mayTry(fresh())).isFalse();
        assertThat(places.mayTry(held("failed"))).isFalse();
        assertThat(places.mayTry(heldOf("bills", wait.reason()))).isTrue();
    }

    @Test
    void eachPlaceOfATopicOpensForItself() {
        Unavailable other = DeliveryResult.unavailable("queue r", "nobody bound it");
        String waitsForQ = places.failed(fresh(), NO_QUEUE).reason();
        String waitsForR = places.failed(fresh(), other).reason();
        relay.advance(Duration.ofSeconds(1));
        TrackedMessage probe = held(waitsForR);
        assertThat(places.mayTry(probe)).isTrue();
        places.delivered(probe);

        assertThat(places.mayTry(held(waitsForR))).isTrue();
        assertThat(places.mayTry(held(waitsForR))).isTrue();
        assertThat(places.mayTry(held(waitsForQ))).isTrue();
        assertThat(places.mayTry(held(waitsForQ))).isFalse();
        assertThat(relay.events).containsExactly("unavailable: queue q", "unavailable: queue r", "available: queue r");
        assertThat(gate.unavailablePlaces()).extracting(UnavailablePlace::place).containsExactly("queue q");
    }

    @Test
    void theEndOfAnotherMessageDoesNotEndATrial() {
        TrackedMessage early = fresh();
        Wait wait = places.failed(fresh(), NO_TOPIC);
        relay.advance(Duration.ofSeconds(1));
        TrackedMessage probe = held(wait.reason());
        assertThat(places.mayTry(probe)).isTrue();

        places.endedOtherwise(early);
        assertThat(places.mayTry(held(wait.reason()))).isFalse();
        places.endedOtherwise(probe);
        assertThat(places.mayTry(held(wait.reason()))).isTrue();
    }

    @Test
    void aPlaceThatTakesSomeNowAndThenIsToldOnce() {
        Wait wait = places.failed(fresh(), NO_QUEUE);
        for (int i = 0; i < 20; i++) {
            relay.advance(Duration.ofSeconds(30));
            TrackedMessage lucky = held(wait.reason());
            assertThat(places.mayTry(lucky)).isTrue();
            places.delivered(lucky);
            places.failed(held(wait.reason()), NO_QUEUE);
        }
        assertThat(relay.events).containsExactly("unavailable: queue q", "available: queue q");

        relay.advance(Duration.ofMinutes(1));
        TrackedMessage probe = held(wait.reason());
        places.mayTry(probe);
        places.failed(probe, NO_QUEUE);
        assertThat(relay.events).as("closed for good").endsWith("unavailable: queue q");
    }

    @Test
    void isForgottenWhenNobodyWaitsForItAnyMore() {
        places.failed(fresh(), NO_QUEUE);
        places.failed(fresh(), NO_TOPIC);
        relay.advance(Duration.ofSeconds(30));
        assertThat(gate.unavailablePlaces()).hasSize(2);

        relay.advance(Duration.ofSeconds(40));

        assertThat(gate.unavailablePlaces()).isEmpty();
        assertThat(places.closed()).isEmpty();
        assertThat(places.mayTry(fresh())).isTrue();
    }

    @Test
    void isNotForgottenWhileNothingCanBeSent() {
        places.failed(fresh(), NO_TOPIC);
        gate.setPaused(true);
        relay.advance(Duration.ofMinutes(10));
        assertThat(gate.unavailablePlaces()).hasSize(1);

        gate.setPaused(false);
        relay.advance(Duration.ofSeconds(30));
        assertThat(gate.unavailablePlaces()).hasSize(1);
        relay.advance(Duration.ofMinutes(1));
        assertThat(gate.unavailablePlaces()).isEmpty();
    }

    @Test
    void remembersAThousandAndTriesWhatIsBeyondSlowly() {
        for (int i = 0; i < 5_000; i++) {
            places.failed(fresh(), DeliveryResult.unavailable("place " + i, "gone"));
        }
        assertThat(gate.unavailablePlaces()).hasSize(1_000);
        assertThat(relay.events).hasSize(1_000);
        Duration earlier = places.failed(fresh(), NO_QUEUE).delay();
        Duration later = IntStream.range(0, 100)
                .mapToObj(i -> places.failed(fresh(), NO_QUEUE).delay())
                .reduce((first, second) -> second)
                .orElseThrow();
        assertThat(later).isEqualTo(Duration.ofMinutes(10)).isGreaterThanOrEqualTo(earlier);

        relay.advance(Duration.ofMinutes(3));
        places.failed(fresh(), NO_QUEUE);
        assertThat(relay.events).endsWith("unavailable: queue q");
    }

    private TrackedMessage fresh() {
        return relay.entry(worker, ++seq, "key-" + seq, 1);
    }

    private TrackedMessage held(String error) {
        return heldOf("orders", error);
    }

    private TrackedMessage heldOf(String topic, String error) {
        return relay.heldEntry(worker, topic, ++seq, error);
    }
}
