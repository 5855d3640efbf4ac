package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Delivered;
import dev.postrider.spi.DeliveryResult.Reject;
import dev.postrider.spi.Destination;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.LaneTenure;
import dev.postrider.spi.SendContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends the messages of one key as a relay does to a destination that promises {@link dev.postrider.spi.KeyOrder#PIPELINED}: many of a run at once, and after
 * one that was not delivered a new run from there on, one by one until one is delivered. Fails if the destination reports an end that breaks its
 * promise; whether the order was kept at the broker is for the caller to see. For one thread.
 *
 * <pre>{@code
 * PipelinedKey key = new PipelinedKey(destination, tenure, messages, 300, Duration.ZERO).sendAll(Duration.ofMinutes(1));
 * assertThat(arrived).isEqualTo(key.delivered());
 * }</pre>
 */
public final class PipelinedKey {

    private static final Duration BACK_OFF = Duration.ofMillis(20);

    private final Destination destination;
    private final LaneTenure tenure;
    private final List<OutboxMessage> messages;
    private final int maxInFlight;
    private final Duration pace;
    private final Deque<CompletableFuture<DeliveryResult>> inFlight = new ArrayDeque<>();
    private final List<List<CompletableFuture<DeliveryResult>>> brokenRuns = new ArrayList<>();
    private final List<OutboxMessage> delivered = new ArrayList<>();
    private final List<DeliveryResult> failures = new ArrayList<>();
    private KeyRun run;
    private boolean isCareful;
    private int settled;

    /** @param pace how long it waits before each send */
    public PipelinedKey(
            Destination destination, LaneTenure tenure, List<OutboxMessage> messages, int maxInFlight, Duration pace) {
        this.destination = destination;
        this.tenure = tenure;
        this.messages = messages;
        this.maxInFlight = maxInFlight;
        this.pace = pace;
        this.run = new KeyRun(tenure);
    }

    /** Sends until every message is delivered or rejected. */
    public PipelinedKey sendAll(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (settled < messages.size()) {
            assertThat(System.nanoTime())
                    .as("settled %d of %s", settled, failures)
                    .isLessThan(deadline);
            fill();
            settle(inFlight.remove().orTimeout(120, TimeUnit.SECONDS).join());
        }
        assertThatNoneWasDeliveredBehindAFailure();
        return this;
    }

    private void fill() {
        int limit = isCareful ? 1 : maxInFlight;
        while (inFlight.size() < limit && settled + inFlight.size() < messages.size()) {
            OutboxMessage next = messages.get(settled + inFlight.size());
            LockSupport.parkNanos(pace.toNanos());
            inFlight.add(destination.send(next, SendContext.of(run)).toCompletableFuture());
        }
    }

    private void settle(DeliveryResult result) {
        if (result instanceof Delivered || result instanceof Reject) {
            if (result instanceof Delivered) {
                delivered.add(messages.get(settled));
                isCareful = false;
            }
            settled++;
            return;
        }
        assertThat(run.isBroken()).as("broken before %s is reported", result).isTrue();
        failures.add(result);
        brokenRuns.add(List.copyOf(inFlight));
        inFlight.clear();
        run = new KeyRun(tenure);
        isCareful = true;
        LockSupport.parkNanos(BACK_OFF.toNanos());
    }

    private void assertThatNoneWasDeliveredBehindAFailure() {
        assertThat(brokenRuns)
                .allSatisfy(later -> assertThat(later)
                        .allSatisfy(send -> assertThat(send)
                                .succeedsWithin(Duration.ofSeconds(120))
                                .isNotInstanceOf(Delivered.class)));
    }

    /** The messages that were delivered, in order. */
    public List<OutboxMessage> delivered() {
        return delivered;
    }

    /** How the first message of each broken run ended. */
    public List<DeliveryResult> failures() {
        return failures;
    }
}
