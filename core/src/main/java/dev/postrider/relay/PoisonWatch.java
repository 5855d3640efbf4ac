package dev.postrider.relay;

import dev.postrider.message.MessageId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the message that makes a destination look down: it drops the connection each time, and others are delivered in between. For
 * {@link DestinationGate}, under its lock.
 *
 * <p>Whoever has done so twice is sent alone from then on, so that a third drop can be nobody else's. In a real outage nothing is
 * delivered between two drops, and nobody is to blame.
 */
final class PoisonWatch {

    private static final int DROPS_TO_SUSPECT = 2;

    /** Beyond this many the one that was noted first is forgotten, and found again later. */
    private static final int MAX_MESSAGES = 1000;

    /** How long others wait for a message that must go alone; it may have left this relay meanwhile. */
    private static final long LONGEST_RESERVATION = Nanos.of(Duration.ofSeconds(1));

    private final Map<MessageId, Drops> byMessage = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<MessageId, Drops> eldest) {
            return size() > MAX_MESSAGES;
        }
    };
    private long deliveries;
    private @Nullable MessageId reservedFor;
    private long reservedUntil;
    private boolean isAloneInFlight;

    /** Something was delivered, so the destination is up. */
    void delivered() {
        deliveries++;
    }

    /** The connection dropped while this message was in flight. Returns whether the message is to blame. */
    boolean dropped(MessageId id, boolean wasAlone) {
        Drops before = byMessage.get(id);
        boolean hasWorkedSince = before != null && before.deliveries() != deliveries;
        if (before == null || hasWorkedSince) {
            byMessage.put(id, new Drops(before == null ? 1 : before.count() + 1, deliveries));
        }
        return before != null && hasWorkedSince && wasAlone && before.count() >= DROPS_TO_SUSPECT;
    }

    /** Whether this message may be in flight only by itself. */
    boolean mustGoAlone(MessageId id) {
        // Asked for every message, when there is almost never one.
        Drops drops = byMessage.isEmpty() ? null : byMessage.get(id);
        return drops != null && drops.count() >= DROPS_TO_SUSPECT;
    }

    /** Whether this message must wait because another one has to be alone. */
    boolean isAnothersTurn(MessageId id, long now) {
        return isAloneInFlight || (reservedFor != null && !reservedFor.equals(id) && now - reservedUntil < 0);
    }

    /** This message has to wait until nothing is in flight: others that come later wait behind it. */
    void reserve(MessageId id, long now) {
        if (!isAnothersTurn(id, now)) {
            reservedFor = id;
            reservedUntil = now + LONGEST_RESERVATION;
        }
    }

    void entered(MessageId id) {
        if (id.equals(reservedFor)) {
            reservedFor = null;
        }
        isAloneInFlight = mustGoAlone(id);
    }

    void nothingIsInFlight() {
        isAloneInFlight = false;
    }

    /** How often, each time after something was delivered, and how much had been delivered at the last time. */
    private record Drops(int count, long deliveries) {}
}
