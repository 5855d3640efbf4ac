package dev.postrider.destination.nats;

import dev.postrider.spi.internal.PendingSend;
import io.nats.client.Message;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * Asks the server why no stream took a message, on a few threads, however many messages there are. Nobody has such a message, so it may end
 * meanwhile. Thread-safe.
 */
final class UnclaimedMessages {

    private static final int ASKERS = 4;

    private final Streams streams;
    private final Consumer<PendingSend<Message>> publishAgain;
    private final ExecutorService askers;

    UnclaimedMessages(Streams streams, Consumer<PendingSend<Message>> publishAgain, ThreadFactory threads) {
        this.streams = streams;
        this.publishAgain = publishAgain;
        this.askers = Executors.newFixedThreadPool(ASKERS, threads);
    }

    void add(NatsLink link, PendingSend<Message> send) {
        send.release();
        try {
            askers.execute(() -> judge(link, send));
        } catch (RejectedExecutionException closed) {
            // Closed: it ends as everything that waits.
            publishAgain.accept(send);
        }
    }

    private void judge(NatsLink link, PendingSend<Message> send) {
        if (!send.hasEnded()) {
            streams.verdict(link, send.wire().getSubject(), send.claims() > 1)
                    .ifPresentOrElse(send::endIfWaiting, () -> publishAgain.accept(send));
        }
    }

    void close() {
        askers.shutdown();
    }
}
