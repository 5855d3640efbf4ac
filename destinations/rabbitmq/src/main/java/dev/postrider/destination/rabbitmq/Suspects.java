package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.internal.PendingSend;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Messages one of which has closed a channel, or may do so: they are published one at a time, each alone on its channel. Thread-safe. */
final class Suspects {

    private final Consumer<PendingSend<WireMessage>> publish;
    private final Queue<PendingSend<WireMessage>> waiting = new ArrayDeque<>();
    private volatile @Nullable PendingSend<WireMessage> alone;

    /** Exchanges whose messages have closed a channel: they go alone until one gets through. */
    private final Set<String> distrusted = ConcurrentHashMap.newKeySet();

    /** @param publish publishes a message when its turn has come */
    Suspects(Consumer<PendingSend<WireMessage>> publish) {
        this.publish = publish;
    }

    /** Lets claimed messages wait for their turns; of each run only the first, those behind it must not pass it. */
    synchronized void add(List<PendingSend<WireMessage>> sends) {
        for (PendingSend<WireMessage> send : sends) {
            if (!send.endIfBehindFailed()) {
                send.breakRunBehind();
                send.release();
                waiting.add(send);
            }
        }
        next();
    }

    private synchronized void next() {
        PendingSend<WireMessage> before = alone;
        if (before != null && !before.hasEnded()) {
            return;
        }
        PendingSend<WireMessage> next = waiting.poll();
        while (next != null && next.hasEnded()) {
            next = waiting.poll();
        }
        alone = next;
        if (next != null) {
            publish.accept(next);
            PendingSend<WireMessage> now = next;
            var unused = now.result().thenAccept(result -> ended(now, result));
        }
    }

    private void ended(PendingSend<WireMessage> send, DeliveryResult result) {
        if (!hasClosedItsChannel(result)) {
            distrusted.remove(send.wire().exchange());
        }
        next();
    }

    private static boolean hasClosedItsChannel(DeliveryResult result) {
        return result instanceof DeliveryResult.Failed failed
                && failed.cause()
                        .filter(ShutdownSignalException.class::isInstance)
                        .isPresent();
    }

    /** Whether its turn has come. */
    boolean isAlone(PendingSend<WireMessage> send) {
        return alone == send;
    }

    void distrust(String exchange) {
        distrusted.add(exchange);
    }

    boolean distrusts(String exchange) {
        return distrusted.contains(exchange);
    }
}
