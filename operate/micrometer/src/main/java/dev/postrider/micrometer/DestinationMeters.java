package dev.postrider.micrometer;

import dev.postrider.relay.Attempt;
import dev.postrider.spi.DeliveryResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** The meters of one destination, looked up once: the relay counts every message. */
final class DestinationMeters {

    private final Counter delivered;
    private final Counter retried;
    private final Timer delay;
    private final Timer sentDelivered;
    private final Timer sentOutage;
    private final Timer sentRetry;
    private final Timer sentReject;
    private final Counter failedRetry;
    private final Counter failedReject;
    private final Counter failedOutage;

    DestinationMeters(Meters meters, String destination) {
        this.delivered = meters.counter(PostriderMeter.DELIVERED, destination);
        this.retried = meters.counter(PostriderMeter.RETRIED, destination);
        this.delay = meters.histogram(PostriderMeter.DELAY, destination);
        this.sentDelivered = meters.timer(PostriderMeter.SEND, destination, "delivered");
        this.sentOutage = meters.timer(PostriderMeter.SEND, destination, "outage");
        this.sentRetry = meters.timer(PostriderMeter.SEND, destination, "retry");
        this.sentReject = meters.timer(PostriderMeter.SEND, destination, "reject");
        this.failedRetry = meters.counter(PostriderMeter.FAILED, destination, "retry");
        this.failedReject = meters.counter(PostriderMeter.FAILED, destination, "reject");
        this.failedOutage = meters.counter(PostriderMeter.FAILED, destination, "outage");
    }

    void delivered(Attempt attempt, Duration sinceInsert, Duration took) {
        delivered.increment();
        RecordedMessage.record(attempt.message(), delay, sinceInsert);
        sentDelivered.record(took);
        countRetry(attempt);
    }

    void failed(Attempt attempt, DeliveryResult.Failed failure, Duration took) {
        if (failure instanceof DeliveryResult.Retry) {
            count(failedRetry, sentRetry, took);
        } else if (failure instanceof DeliveryResult.Reject) {
            count(failedReject, sentReject, took);
        } else {
            count(failedOutage, sentOutage, took);
        }
        countRetry(attempt);
    }

    private static void count(Counter counter, Timer timer, Duration took) {
        counter.increment();
        timer.record(took);
    }

    void notReached(Duration took) {
        sentOutage.record(took);
    }

    private void countRetry(Attempt attempt) {
        if (attempt.number() > 1) {
            retried.increment();
        }
    }
}
