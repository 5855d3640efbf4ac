package dev.postrider.destination.nats;

import dev.postrider.spi.DeliveryResult;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * The messages that no stream took, until the server has said why; a few threads ask it, however many there are.
 *
 * <p>Nobody has such a message, so it may end at any time, and a time-out ends it while it waits to be asked about. Thread-safe.
 */
final class UnclaimedMessages {

    private static final int ASKERS = 4;

    private final Streams streams;
    private final Consumer<Sending> publishAgain;
    private final DeliveryResult whenClosed;
    private final ExecutorService askers;
    private final Set<Sending> unclaimed = ConcurrentHashMap.newKeySet();

    UnclaimedMessages(
            Streams streams, Consumer<Sending> publishAgain, DeliveryResult whenClosed, ThreadFactory threads) {
        this.streams = streams;
        this.publishAgain = publishAgain;
        this.whenClosed = whenClosed;
        this.askers = Executors.newFixedThreadPool(ASKERS, threads);
    }

    void add(Link link, Sending sending) {
        boolean isSecondTry = sending.release();
        unclaimed.add(sending);
        try {
            askers.execute(() -> judge(link, sending, isSecondTry));
        } catch (RejectedExecutionException closed) {
            unclaimed.remove(sending);
            sending.endIfWaiting(whenClosed);
        }
    }

    private void judge(Link link, Sending sending, boolean isSecondTry) {
        if (!sending.hasEnded()) {
            streams.verdict(link, sending, isSecondTry)
                    .ifPresentOrElse(sending::endIfWaiting, () -> publishAgain.accept(sending));
        }
        unclaimed.remove(sending);
    }

    void endOverdue(long now, DeliveryResult outcome) {
        unclaimed.stream().filter(sending -> sending.isOverdue(now)).forEach(sending -> {
            sending.endIfWaiting(outcome);
            unclaimed.remove(sending);
        });
    }

    /** Ends all; those that come later end as well. */
    void close() {
        askers.shutdown();
        unclaimed.forEach(sending -> sending.endIfWaiting(whenClosed));
    }
}
