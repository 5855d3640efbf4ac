package dev.postrider.destination.rabbitmq;

import dev.postrider.spi.Ordering;

/**
 * Keeps a message that failed for a pause and then gives it back to its queue, where another consumer may take it; others of its key
 * overtake it. The pause keeps a short outage from using up the delivery limit of a quorum queue within milliseconds.
 */
final class RequeueAfterPause implements RetryWay {

    private final Backoff pauses;
    private final int maxAttempts;
    private final Timer timer;

    RequeueAfterPause(Backoff pauses, int maxAttempts, Timer timer) {
        this.pauses = pauses;
        this.maxAttempts = maxAttempts;
        this.timer = timer;
    }

    @Override
    public Ordering ordering() {
        return Ordering.NONE;
    }

    @Override
    public int attemptOf(TakenMessage taken) {
        return attempts(taken);
    }

    /** Quorum queues count; classic ones only say that it was delivered before. */
    static int attempts(TakenMessage taken) {
        int before = DeathRecord.redeliveries(taken.properties())
                .orElse(taken.envelope().isRedeliver() ? 1 : 0);
        return before + 1;
    }

    @Override
    public int maxAttempts() {
        return maxAttempts;
    }

    @Override
    public void retry(RabbitmqDelivery delivery, UnsettledDeliveries unsettled, Runnable whenReady) {
        timer.after(pauses.before(delivery.attempt()), delivery.taken()::requeue);
        unsettled.settled(delivery);
        whenReady.run();
    }
}
