package dev.postrider.destination.rabbitmq;

import dev.postrider.spi.Ordering;
import dev.postrider.spi.internal.Received;
import dev.postrider.spi.internal.Timer;
import java.time.Duration;
import java.util.Optional;

/**
 * Tries a message that failed again after a pause, and rejects what can never be handled: the broker moves it to the dead-letter exchange
 * of the queue.
 *
 * <p>By default the message is kept, unacknowledged: its key waits, no delivery limit of the queue is used up, and what a crash interrupts
 * is back in the queue at once. If it is requeued, another consumer may take it and others of its key overtake it; the pause keeps a short
 * outage from using up the delivery limit of a quorum queue within milliseconds.
 */
record PlainSettlement(String queue, boolean isRequeuing, Backoff pauses, int maxAttempts, Timer timer)
        implements QueueSettlement {

    @Override
    public Ordering ordering() {
        return isRequeuing ? Ordering.NONE : Ordering.PER_KEY;
    }

    /** Quorum queues count; classic ones only say that it was delivered before. */
    @Override
    public int attemptsBefore(TakenMessage taken) {
        return DeathRecord.redeliveries(taken.properties())
                .orElse(taken.envelope().isRedeliver() ? 1 : 0);
    }

    @Override
    public Optional<Duration> retry(Received<TakenMessage> received, String reason, Runnable done) {
        Duration pause = pauses.before(received.attempts());
        if (!isRequeuing) {
            return Optional.of(pause);
        }
        timer.after(pause, received.source()::requeue);
        done.run();
        return Optional.empty();
    }

    @Override
    public void park(Received<TakenMessage> received, String reason, Runnable done) {
        TakenMessage taken = received.source();
        if (DeathRecord.isForged(taken.headers())) {
            ForgedRecord.remove(taken, queue, timer);
        } else {
            taken.reject();
        }
        done.run();
    }
}
