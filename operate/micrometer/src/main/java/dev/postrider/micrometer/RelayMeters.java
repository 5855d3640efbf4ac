package dev.postrider.micrometer;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Attempt;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.relay.StoreOperation;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts and times what relays report. Thread-safe; one may listen to several relays of the same outbox. */
final class RelayMeters implements RelayListener {

    /** Stands for the destination of messages that lead to no destination. */
    private static final String NO_DESTINATION = "none";

    private final Meters meters;
    private final RelayGauges gauges;
    private final Map<String, DestinationMeters> destinations = new ConcurrentHashMap<>();
    private final Timer fetchedRows;
    private final Timer fetchedNone;
    private final Timer fetchFailed;
    private final DistributionSummary fetchRows;
    private final Timer settled;
    private final Timer settleFailed;
    private final Timer settleRefused;
    private final DistributionSummary settleRows;
    private final Counter lanesTaken;
    private final Counter lanesLost;
    private final Counter sweepMissed;
    private final Counter crashes;
    private final Counter stalls;

    RelayMeters(Meters meters) {
        this.meters = meters;
        this.gauges = new RelayGauges(meters);
        this.fetchedRows = meters.timer(PostriderMeter.FETCH, "rows");
        this.fetchedNone = meters.timer(PostriderMeter.FETCH, "empty");
        this.fetchFailed = meters.timer(PostriderMeter.FETCH, "failed");
        this.fetchRows = meters.summary(PostriderMeter.FETCH_ROWS);
        this.settled = meters.timer(PostriderMeter.SETTLE, "recorded");
        this.settleFailed = meters.timer(PostriderMeter.SETTLE, "failed");
        this.settleRefused = meters.timer(PostriderMeter.SETTLE, "refused");
        this.settleRows = meters.summary(PostriderMeter.SETTLE_ROWS);
        this.lanesTaken = meters.counter(PostriderMeter.LANES_TAKEN);
        this.lanesLost = meters.counter(PostriderMeter.LANES_LOST);
        this.sweepMissed = meters.counter(PostriderMeter.SWEEP_MISSED);
        this.crashes = meters.counter(PostriderMeter.CRASHES);
        this.stalls = meters.counter(PostriderMeter.STALLS);
    }

    @Override
    public void started(Relay relay) {
        gauges.started(relay);
        // A counter that appears with its first event hides that event from rates.
        relay.destinations().keySet().forEach(this::of);
    }

    @Override
    public void closed(Relay relay) {
        gauges.closed(relay);
    }

    @Override
    public void fetched(long batch, int rows, Duration took) {
        if (rows > 0) {
            fetchedRows.record(took);
            fetchRows.record(rows);
        } else {
            fetchedNone.record(took);
        }
    }

    @Override
    public void delivered(Attempt attempt, Duration delay, Duration took) {
        of(attempt.destination()).delivered(attempt, delay, took);
    }

    @Override
    public void failed(Attempt attempt, DeliveryResult.Failed failure, Duration took) {
        of(attempt.destination()).failed(attempt, failure, took);
    }

    @Override
    public void notReached(Attempt attempt, DeliveryResult.Outage outage, Duration took) {
        of(attempt.destination()).notReached(took);
    }

    @Override
    public void held(Attempt attempt, Duration delay) {
        meters.counter(PostriderMeter.HELD, attempt.destination(), "retry").increment();
    }

    @Override
    public void heldBehind(Attempt attempt) {
        meters.counter(PostriderMeter.HELD, attempt.destination(), "behind").increment();
    }

    @Override
    public void blocked(Attempt attempt, String error) {
        meters.counter(PostriderMeter.HELD, attempt.destination(), "blocked").increment();
    }

    @Override
    public void dead(Attempt attempt, DeadReason reason, String error) {
        dead(attempt.destination(), word(reason));
    }

    @Override
    public void unroutable(int lane, OutboxMessage message, String reason) {
        dead(NO_DESTINATION, "unroutable");
    }

    @Override
    public void unreadable(int lane, MessageId id, String reason) {
        dead(NO_DESTINATION, word(DeadReason.UNREADABLE));
    }

    private void dead(String destination, String reason) {
        meters.counter(PostriderMeter.DEAD, destination, reason).increment();
    }

    @Override
    public void settled(int rows, Duration took) {
        settled.record(took);
        settleRows.record(rows);
    }

    @Override
    public void settleRefused(int lane, int rows, Duration took) {
        settleRefused.record(took);
    }

    @Override
    public void outage(String destination, String reason, Duration retryIn) {
        meters.counter(PostriderMeter.OUTAGES, destination).increment();
    }

    @Override
    public void slow(String destination, int inFlight) {
        meters.counter(PostriderMeter.SLOWDOWNS, destination).increment();
    }

    @Override
    public void laneTaken(int lane, long epoch) {
        lanesTaken.increment();
    }

    @Override
    public void laneLost(int lane) {
        lanesLost.increment();
    }

    @Override
    public void overdue(Attempt attempt, Duration since) {
        meters.counter(PostriderMeter.OVERDUE, attempt.destination()).increment();
    }

    @Override
    public void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
        meters.counter(PostriderMeter.STORE_FAILURES, word(operation)).increment();
        if (operation == StoreOperation.FETCH) {
            fetchFailed.record(took);
        } else if (operation == StoreOperation.SETTLE) {
            settleFailed.record(took);
        }
    }

    @Override
    public void sweepFoundMissed(int lane, int rows) {
        sweepMissed.increment(rows);
    }

    @Override
    public void stalled(String part, Duration since) {
        stalls.increment();
    }

    @Override
    public void crashed(String part, Throwable failure) {
        crashes.increment();
    }

    private DestinationMeters of(String destination) {
        return destinations.computeIfAbsent(destination, name -> new DestinationMeters(meters, name));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
