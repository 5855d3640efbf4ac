package dev.postrider.destination.kafka;

import dev.postrider.relay.Backoff;
import dev.postrider.spi.ReceiverReports;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What becomes of a record when its handler has ended. Thread-safe. */
final class Settlements {

    private static final Logger LOG = LoggerFactory.getLogger(Settlements.class);

    private final Intake intake;
    private final RetryPlan plan;
    private final RecordForwarder forwarder;
    private final ScheduledExecutorService timer;
    private final ReceiverReports reports;
    private final Runnable handOver;

    /** @param handOver is run when there may be something to hand over */
    Settlements(
            Intake intake,
            RetryPlan plan,
            RecordForwarder forwarder,
            ScheduledExecutorService timer,
            ReceiverReports reports,
            Runnable handOver) {
        this.intake = intake;
        this.plan = plan;
        this.forwarder = forwarder;
        this.timer = timer;
        this.reports = reports;
        this.handOver = handOver;
    }

    void handled(IncomingRecord record, long handedOverAt) {
        reports.handled(handedOverAt);
        acknowledge(record);
    }

    void failed(long handedOverAt) {
        reports.failed(handedOverAt);
    }

    private void acknowledge(IncomingRecord record) {
        intake.finish(record);
        handOver.run();
    }

    void retry(IncomingRecord record, int attempt, String reason) {
        if (attempt >= plan.maxAttempts()) {
            park(record, attempt, reason);
            return;
        }
        reports.retried();
        if (plan.isInPlace()) {
            retryInPlace(record, plan.backoff(), attempt);
        } else {
            forward(record, plan.retryTopicAfter(attempt), attempt, reason);
        }
    }

    private void retryInPlace(IncomingRecord record, Backoff backoff, int attempt) {
        if (intake.postpone(record)) {
            resumeAfter(record, backoff.delay(attempt));
        }
        handOver.run();
    }

    void resumeAfter(IncomingRecord record, Duration delay) {
        try {
            var unused = timer.schedule(() -> resume(record), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.debug("The receiver is closed; the record at {} stays where it is", record.offset);
        }
    }

    private void resume(IncomingRecord record) {
        intake.resume(record);
        handOver.run();
    }

    void park(IncomingRecord record, int attempt, String reason) {
        LOG.warn(
                "The record at {} of {} is parked in {} after {} attempts: {}",
                record.offset,
                record.window.partition,
                plan.parkingTopic(),
                attempt,
                reason);
        reports.parked();
        forward(record, plan.parkingTopic(), attempt, reason);
    }

    private void forward(IncomingRecord record, String topic, int attempt, String reason) {
        if (intake.beginForward(record)) {
            forwardBegun(record, topic, attempt, reason);
        }
        handOver.run();
    }

    /** Sends on a record that can be read by nobody. */
    void parkUnread(IncomingRecord record, String reason) {
        LOG.warn(
                "The record at {} of {} is no message and is parked in {}: {}",
                record.offset,
                record.window.partition,
                plan.parkingTopic(),
                reason);
        reports.parked();
        forwardBegun(record, plan.parkingTopic(), record.attempt, reason);
    }

    private void forwardBegun(IncomingRecord record, String topic, int attempt, String reason) {
        forwarder.send(
                ForwardHeaders.forward(record.record(), topic, plan.group(), attempt, reason),
                () -> intake.isForwarding(record),
                () -> acknowledge(record));
    }
}
