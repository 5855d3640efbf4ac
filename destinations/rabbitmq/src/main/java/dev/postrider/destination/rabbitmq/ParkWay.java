package dev.postrider.destination.rabbitmq;

import java.time.Instant;
import java.util.Map;

/** Where a message goes that can never be handled. */
interface ParkWay {

    int MAX_REASON = 1024;

    /**
     * Takes it out of the queue once it is safe.
     *
     * @param attempts how often it was handed over
     * @param whenDone called when it has left, or its session has ended
     */
    void park(TakenMessage taken, int attempts, String reason, Runnable whenDone);

    /** By rejecting it: the broker moves it to the dead-letter exchange of the queue. */
    static ParkWay rejecting(String queue, Timer timer) {
        return (taken, attempts, reason, whenDone) -> {
            if (DeathRecord.isForged(taken.headers())) {
                ForgedRecord.remove(taken, queue, timer);
            } else {
                taken.reject();
            }
            whenDone.run();
        };
    }

    /** By publishing it to the parking lot, with the reason, and waiting for the confirm. */
    static ParkWay confirmed(QueueNames names, ConfirmedMove moves) {
        return (taken, attempts, reason, whenDone) -> moves.move(
                taken,
                names.deadLetterExchange(),
                QueueNames.PARKING_LOT_KEY,
                Map.of(
                        "x-postrider-parked-reason", reason.substring(0, Math.min(reason.length(), MAX_REASON)),
                        "x-postrider-parked-attempts", attempts,
                        "x-postrider-parked-at", Instant.now().toString()),
                whenDone);
    }
}
