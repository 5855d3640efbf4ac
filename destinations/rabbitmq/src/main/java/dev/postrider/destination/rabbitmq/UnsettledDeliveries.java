package dev.postrider.destination.rabbitmq;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a receiver has taken and not settled, over all its sessions: never more handed over than the limit, and if it guards keys, of each
 * key at most one.
 *
 * <p>A lost connection does not end the handlers that run: what they work on counts, and holds back its key, until it is settled, so
 * that the same message, which has arrived again meanwhile, waits behind. What of a lost session was not handed over is forgotten.
 */
final class UnsettledDeliveries {

    private final int limit;
    private final boolean guardsKeys;
    private final ArrayDeque<RabbitmqDelivery> ready = new ArrayDeque<>();
    private final Map<String, ArrayDeque<RabbitmqDelivery>> byKey = new HashMap<>();
    private final Set<RabbitmqDelivery> handedOver = new HashSet<>();
    private boolean isHandingOver;
    private boolean isStopped;

    UnsettledDeliveries(int limit, boolean guardsKeys) {
        this.limit = limit;
        this.guardsKeys = guardsKeys;
    }

    /** Takes in a message of a session that was not forgotten. */
    synchronized void add(RabbitmqDelivery delivery) {
        if (delivery.taken().session().isForgotten()) {
            return;
        }
        Optional<String> key = guardedKey(delivery);
        if (key.isPresent()) {
            ArrayDeque<RabbitmqDelivery> line = byKey.computeIfAbsent(key.get(), name -> new ArrayDeque<>());
            line.add(delivery);
            if (line.size() > 1) {
                return;
            }
        }
        ready.add(delivery);
    }

    private Optional<String> guardedKey(RabbitmqDelivery delivery) {
        return guardsKeys ? delivery.message().key() : Optional.empty();
    }

    /** The next one to hand over, if there is one and room for it. */
    synchronized Optional<RabbitmqDelivery> take() {
        if (isStopped || handedOver.size() >= limit || ready.isEmpty()) {
            return Optional.empty();
        }
        RabbitmqDelivery next = ready.remove();
        handedOver.add(next);
        isHandingOver = true;
        return Optional.of(next);
    }

    /** It was handed over and is settled: the next of its key may follow. */
    synchronized void settled(RabbitmqDelivery delivery) {
        handedOver.remove(delivery);
        guardedKey(delivery).ifPresent(key -> leave(key, delivery));
    }

    private void leave(String key, RabbitmqDelivery delivery) {
        ArrayDeque<RabbitmqDelivery> line = byKey.get(key);
        line.remove(delivery);
        if (line.isEmpty()) {
            byKey.remove(key);
        } else {
            ready.add(line.element());
        }
    }

    /** It was handed over and is to be handed over again after a pause; its key waits. */
    synchronized void paused(RabbitmqDelivery last, RabbitmqDelivery next) {
        if (last.taken().session().isForgotten()) {
            settled(last);
            return;
        }
        handedOver.remove(last);
        guardedKey(last).ifPresent(key -> {
            ArrayDeque<RabbitmqDelivery> line = byKey.get(key);
            line.remove();
            line.addFirst(next);
        });
    }

    synchronized void resumed(RabbitmqDelivery paused) {
        if (!paused.taken().session().isForgotten()) {
            ready.add(paused);
        }
    }

    /** The session is over: all of it that was not handed over arrives again, elsewhere or here. */
    synchronized void forget(ConsumerSession session) {
        session.markForgotten();
        ready.removeIf(delivery -> delivery.taken().session() == session);
        byKey.values().forEach(line -> line.removeIf(delivery -> isWaiting(delivery, session)));
        byKey.values().removeIf(ArrayDeque::isEmpty);
    }

    private boolean isWaiting(RabbitmqDelivery delivery, ConsumerSession session) {
        return delivery.taken().session() == session && !handedOver.contains(delivery);
    }

    /** Nothing is handed over from now on; returns when nothing is being handed over any more. */
    synchronized void stop() {
        isStopped = true;
        try {
            while (isHandingOver) {
                wait();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The one that was taken last is with the subscriber. */
    synchronized void handedOverLast() {
        isHandingOver = false;
        notifyAll();
    }
}
