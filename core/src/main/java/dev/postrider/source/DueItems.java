package dev.postrider.source;

import dev.postrider.source.Tracked.Held;
import dev.postrider.spi.HeldMessages.DueRequest;
import dev.postrider.spi.HeldMessages.DueRows;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Chooses held items that are due, each with those that follow it, within the bounds of one request. */
final class DueItems<T> {

    private final DueRequest request;
    private final Ordering ordering;
    private final long now;
    private final List<OutboxRow.Held> rows = new ArrayList<>();
    private long bytes;
    private Instant time = Instant.EPOCH;
    private Optional<Duration> nextDueIn = Optional.empty();

    DueItems(DueRequest request, Ordering ordering, long now) {
        this.ordering = ordering;
        this.request = request;
        this.now = now;
    }

    DueRows choose(List<Tracked<T>> held, Instant time) {
        this.time = time;
        if (request.lanes().contains(Tracked.LANE)) {
            Map<Object, List<Tracked<T>>> orders = new LinkedHashMap<>();
            held.forEach(tracked -> orders.computeIfAbsent(tracked.orderOf(ordering), order -> new ArrayList<>())
                    .add(tracked));
            orders.values().forEach(this::consider);
        }
        return new DueRows(rows, nextDueIn, held.isEmpty() ? Set.of() : Set.of(Tracked.LANE), time);
    }

    /** The first of an order decides for all of it. */
    private void consider(List<Tracked<T>> order) {
        Tracked<T> head = order.get(0);
        long wait = ((Held) head.standing()).dueAt() - now;
        if (!mayGo(head) || isKnown(head) || !isWanted(head)) {
            return;
        }
        if (wait > 0) {
            fallsDue(Duration.ofNanos(wait));
            return;
        }
        for (Tracked<T> next : order.subList(0, Math.min(order.size(), request.followers() + 1))) {
            if (!mayGo(next) || (!isKnown(next) && !add(next))) {
                return;
            }
        }
    }

    private boolean mayGo(Tracked<T> tracked) {
        Held held = (Held) tracked.standing();
        return !held.isBlocked()
                && held.destination()
                        .filter(name -> !request.excludedDestinations().contains(name))
                        .isPresent();
    }

    private boolean isWanted(Tracked<T> head) {
        Held held = (Held) head.standing();
        String topic = head.item().message().topic();
        Duration age = Duration.between(head.item().createdAt(), time);
        return held.destination()
                .filter(name -> request.isWanted(name, topic, held.error(), age))
                .isPresent();
    }

    private boolean isKnown(Tracked<T> tracked) {
        return request.known().contains(Tracked.LANE, tracked.seq());
    }

    private boolean add(Tracked<T> tracked) {
        int length = tracked.item().message().payload().length;
        if (!rows.isEmpty() && (rows.size() >= request.maxRows() || bytes + length > request.maxBytes())) {
            fallsDue(Duration.ZERO);
            return false;
        }
        rows.add(tracked.heldRow((Held) tracked.standing()));
        bytes += length;
        return true;
    }

    private void fallsDue(Duration wait) {
        nextDueIn = nextDueIn.filter(sooner -> sooner.compareTo(wait) < 0).or(() -> Optional.of(wait));
    }
}
