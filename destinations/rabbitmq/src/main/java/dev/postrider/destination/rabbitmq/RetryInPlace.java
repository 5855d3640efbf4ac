package dev.postrider.destination.rabbitmq;

import dev.postrider.spi.Ordering;

/**
 * Keeps a message that failed, unacknowledged, and hands it over again after a pause: its key waits, no delivery limit of the queue is
 * used up, and what a crash interrupts is back in the queue at once.
 */
final class RetryInPlace implements RetryWay {

    private final Backoff pauses;
    private final int maxAttempts;
    private final Timer timer;

    RetryInPlace(Backoff pauses, int maxAttempts, Timer timer) {
        this.pauses = pauses;
        this.maxAttempts = maxAttempts;
        this.timer = timer;
    }

    @Override
    public Ordering ordering() {
        return Ordering.PER_KEY;
    }

    @Override
    public int attemptOf(TakenMessage taken) {
        return RequeueAfterPause.attempts(taken);
    }

    @Override
    public int maxAttempts() {
        return maxAttempts;
    }

    @Override
    public void retry(RabbitmqDelivery delivery, UnsettledDeliveries unsettled, Runnable whenReady) {
        RabbitmqDelivery next = delivery.again();
        unsettled.paused(delivery, next);
        timer.after(pauses.before(delivery.attempt()), () -> {
            unsettled.resumed(next);
            whenReady.run();
        });
    }
}
