package dev.postrider.destination.rabbitmq;

import dev.postrider.spi.Ordering;
import dev.postrider.spi.internal.Received;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Moves a message that failed to a queue where it waits out its time, after which the broker puts it back; others of its key overtake it.
 * What can never be handled it moves to the parking lot, with the reason.
 *
 * <p>A rejection would take the same way by the broker alone, which drops what it cannot dead-letter when exchange or queue are gone. So
 * the message is published, confirmed and mandatory, with the record that a rejection leaves.
 */
record ParkingLotSettlement(ParkingLotTopology topology, int maxRetries, ConfirmedMove moves)
        implements QueueSettlement {

    /**
     * What the broker adds when the time is up, generously. A message that it makes larger than a frame would end every connection that
     * it is delivered on.
     */
    private static final int BROKERS_RECORD = 4_096;

    private static final int MAX_REASON = 1024;

    @Override
    public Ordering ordering() {
        return Ordering.NONE;
    }

    @Override
    public int attemptsBefore(TakenMessage taken) {
        return DeathRecord.retriesFrom(topology.names().incoming(), taken.properties());
    }

    @Override
    public int maxAttempts() {
        return maxRetries + 1;
    }

    @Override
    public Optional<String> obstacle(Received<TakenMessage> received) {
        TakenMessage taken = received.source();
        int frame = taken.session().connection().getFrameMax();
        Map<String, Object> headers = new HashMap<>(record(received));
        headers.putAll(taken.headers());
        return frame == 0 || HeaderFrame.bytes(headers) + BROKERS_RECORD <= frame
                ? Optional.empty()
                : Optional.of("Its headers leave no room for the record of a retry");
    }

    @Override
    public Optional<Duration> retry(Received<TakenMessage> received, String reason, Runnable done) {
        String waitKey = topology.waitKey(received.attempts());
        moves.move(received.source(), topology.names().deadLetterExchange(), waitKey, record(received), done);
        return Optional.empty();
    }

    private Map<String, Object> record(Received<TakenMessage> received) {
        return DeathRecord.rejected(
                received.source(),
                topology.names().incoming(),
                received.message().topic(),
                received.attempts());
    }

    @Override
    public void park(Received<TakenMessage> received, String reason, Runnable done) {
        moves.move(
                received.source(),
                topology.names().deadLetterExchange(),
                QueueNames.PARKING_LOT_KEY,
                Map.of(
                        // Whoever replays it publishes it to the queue itself.
                        DeathRecord.EXCHANGE,
                        DeathRecord.exchangeOf(
                                received.source(), topology.names().incoming()),
                        "x-postrider-parked-reason",
                        reason.substring(0, Math.min(reason.length(), MAX_REASON)),
                        "x-postrider-parked-attempts",
                        received.attempts(),
                        "x-postrider-parked-at",
                        Instant.now().toString()),
                done);
    }

    @Override
    public void close() {
        moves.close();
    }
}
