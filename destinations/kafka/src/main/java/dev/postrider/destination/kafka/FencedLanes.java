package dev.postrider.destination.kafka;

import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.LaneTenure;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntFunction;

/**
 * One transactional producer for each lane that a relay owns, so that the broker refuses whoever owned it before.
 *
 * <p>A lane with a higher epoch takes the place of the former one; a lane whose tenure is over is let go. Thread-safe.
 */
final class FencedLanes {

    private final IntFunction<TransactionalProducer> producers;
    private final SendTimes times;
    private final Executor threads;
    private final SendOutcomes outcomes;
    private final Map<Integer, FencedLane> lanes = new ConcurrentHashMap<>();

    FencedLanes(
            IntFunction<TransactionalProducer> producers, SendTimes times, Executor threads, SendOutcomes outcomes) {
        this.producers = producers;
        this.times = times;
        this.threads = threads;
        this.outcomes = outcomes;
    }

    /** Sends it on behalf of its run's tenure, or ends it. */
    void give(OutgoingRecord sending) {
        LaneTenure tenure = sending.run.tenure();
        FencedLane lane = lanes.get(tenure.lane());
        if (lane == null || lane.epoch() < tenure.epoch()) {
            lane = takeOver(tenure);
        }
        if (lane.epoch() == tenure.epoch()) {
            lane.add(sending);
        } else {
            outcomes.end(sending, FencedLane.lost(tenure));
        }
    }

    private synchronized FencedLane takeOver(LaneTenure tenure) {
        FencedLane former = lanes.get(tenure.lane());
        if (former != null && former.epoch() >= tenure.epoch()) {
            return former;
        }
        FencedLane next = new FencedLane(tenure, producers.apply(tenure.lane()), times, this::run, outcomes);
        lanes.put(tenure.lane(), next);
        if (former != null) {
            closeAside(former);
        }
        // Those stay in their places, so that their epochs are remembered.
        lanes.values().stream().filter(FencedLane::isOver).forEach(this::closeAside);
        return next;
    }

    private void closeAside(FencedLane lane) {
        if (!run(lane::close)) {
            lane.close();
        }
    }

    private boolean run(Runnable work) {
        try {
            threads.execute(work);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    /** Ends all producers; what is on its way fails. */
    void close() {
        lanes.values().forEach(FencedLane::close);
    }

    /** Where the outcome of a send goes. */
    interface SendOutcomes {

        void end(OutgoingRecord sending, DeliveryResult result);

        void failed(OutgoingRecord sending, Throwable failure);
    }
}
