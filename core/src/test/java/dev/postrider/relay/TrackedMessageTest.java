package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.RelayFixture.ScriptedDestination;
import dev.postrider.spi.KeyState;
import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.Lease;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrackedMessageTest {

    /** Whoever writes rows writes their times; the last two are the ends of PostgreSQL's calendar. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00Z",
                "-1000000000-01-01T00:00:00Z",
                "+1000000000-12-31T23:59:59Z",
                "-4712-01-01T00:00:00Z",
                "+294276-12-31T23:59:59Z"
            })
    void itsAgeCanBeMeasuredWhateverTimeSomebodyWrote(String createdAt) {
        TrackedMessage entry = entry(Instant.parse(createdAt));

        assertThat(entry.age(5).toNanos()).isBetween(0L, Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-31T12:00:00Z",
                "2026-01-31T12:00:07Z",
                "2026-01-31T12:00:00.120Z",
                "2026-01-31T12:00:00.000001Z",
                "2026-01-31T23:59:59.123456789Z",
                "0001-01-01T00:00:00Z",
                "9999-12-31T23:59:59.999999Z"
            })
    void anEventWithoutATimeGetsThatOfItsRow(String createdAt) {
        assertThat(entry(Instant.parse(createdAt)).message.headers().get(Headers.TIME))
                .contains(createdAt);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0000-12-31T23:59:59Z", "+10000-01-01T00:00:00Z"})
    void noEventGetsATimeThatItCannotWrite(String createdAt) {
        assertThat(entry(Instant.parse(createdAt)).message.headers().isEmpty()).isTrue();
    }

    private static TrackedMessage entry(Instant createdAt) {
        OutboxMessage message = OutboxMessage.builder("orders").type("t").build();
        RowRef ref = new RowRef(0, 1, message.id());
        RelayContext context = new RelayFixture().context();
        OwnedLane lane = new OwnedLane(new TakenLane(new Lease(0, "me", 1), Optional.empty()), System::nanoTime);
        WorkerGate gate = new WorkerGate(new DestinationGate(new ScriptedDestination(), context), context.options());

        return new TrackedMessage(
                lane,
                new OutboxRow.Hot(ref, message, createdAt, KeyState.FREE),
                gate,
                Batch.read(Instant.parse("2026-01-01T00:00:00Z"), 0));
    }
}
