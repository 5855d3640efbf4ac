package dev.postrider.source;

import dev.postrider.message.OutboxMessage;
import dev.postrider.source.Tracked.Dead;
import dev.postrider.source.Tracked.Held;
import dev.postrider.spi.HeldLine;
import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.Lease;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxRow;
import dev.postrider.spi.RowRef;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Held items, in memory: after a restart the source returns them as new. */
final class SourceHeld<T> implements HeldMessages {

    private final SourceMemory<T> memory;
    private final SourceLeases leases;
    private final Ordering ordering;

    SourceHeld(SourceMemory<T> memory, SourceLeases leases, Ordering ordering) {
        this.ordering = ordering;
        this.memory = memory;
        this.leases = leases;
    }

    /** What is due is decided by each look. */
    @Override
    public void repair(Lease lease, Set<String> destinations) {
        leases.require(lease);
        memory.all()
                .filter(tracked -> tracked.standing() instanceof Held held
                        && !held.destination().map(destinations::contains).orElse(false))
                .forEach(tracked -> assign(tracked, Optional.empty()));
    }

    private void assign(Tracked<T> tracked, Optional<String> destination) {
        memory.change(tracked, ((Held) tracked.standing()).withDestination(destination));
    }

    /** All of them: the items are in memory anyway. */
    @Override
    public List<OutboxRow.Held> unassigned(int lane, int maxRows, long maxBytes) {
        return memory.all()
                .filter(tracked -> tracked.standing() instanceof Held held
                        && held.destination().isEmpty())
                .sorted(Tracked.BY_SEQ)
                .map(tracked -> tracked.heldRow((Held) tracked.standing()))
                .toList();
    }

    @Override
    public void assign(Lease lease, Map<RowRef, String> destinations) {
        leases.require(lease);
        destinations.forEach(
                (ref, name) -> memory.find(ref, Held.class).ifPresent(tracked -> assign(tracked, Optional.of(name))));
    }

    @Override
    public Set<HeldLine> occupied(Set<HeldLine> lines) {
        Set<HeldLine> found = new HashSet<>();
        memory.all().forEach(tracked -> tracked.line().filter(lines::contains).ifPresent(found::add));
        return found;
    }

    @Override
    public DueRows fetchDue(DueRequest request) {
        List<Tracked<T>> held = memory.all()
                .filter(tracked -> tracked.standing() instanceof Held)
                .sorted(ordering == Ordering.GLOBAL ? Tracked.BY_SEQ : Tracked.BY_SEQUENCE)
                .toList();
        return new DueItems<T>(request, ordering, memory.nanos()).choose(held, memory.now());
    }

    @Override
    public int adoptRetries(Lease lease, int limit) {
        leases.require(lease);
        List<Tracked<T>> requested = memory.all()
                .filter(SourceHeld::isRequested)
                .sorted(Tracked.BY_SEQ)
                .limit(limit)
                .toList();
        requested.forEach(this::adopt);
        return requested.size();
    }

    private static boolean isRequested(Tracked<?> tracked) {
        return tracked.standing() instanceof Dead dead && dead.retryRequested() && !dead.isLeaving();
    }

    private void adopt(Tracked<T> tracked) {
        Dead dead = (Dead) tracked.standing();
        memory.change(
                tracked, new Held(Optional.empty(), 0, memory.nanos(), false, dead.error(), dead.firstFailedAt()));
    }

    @Override
    public Set<Integer> lanesWithRetries(Set<Integer> lanes) {
        return lanes.contains(Tracked.LANE) && memory.all().anyMatch(SourceHeld::isRequested)
                ? Set.of(Tracked.LANE)
                : Set.of();
    }

    int unblock(Optional<String> key, String operator) {
        List<Tracked<T>> blocked = memory.all()
                .filter(tracked -> tracked.standing() instanceof Held held && held.isBlocked())
                .filter(tracked -> key.isEmpty() || tracked.item().key().equals(key))
                .toList();
        blocked.forEach(this::unblock);
        return blocked.size();
    }

    private void unblock(Tracked<T> tracked) {
        Held held = (Held) tracked.standing();
        memory.change(
                tracked, new Held(held.destination(), 0, memory.nanos(), false, held.error(), held.firstFailedAt()));
    }

    List<HeldHead> heads(int limit) {
        Set<HeldLine> lines = new HashSet<>();
        return memory.all()
                .filter(tracked -> tracked.standing() instanceof Held)
                .sorted(Tracked.BY_SEQ)
                .filter(tracked -> tracked.line().map(lines::add).orElse(true))
                .limit(limit)
                .map(this::head)
                .toList();
    }

    List<Waiting> waiting() {
        return Waiting.group(memory.all()
                .filter(tracked -> tracked.standing() instanceof Held held && isUncounted(held))
                .map(tracked -> waiting(tracked, (Held) tracked.standing())));
    }

    private static boolean isUncounted(Held held) {
        return Waiting.isWaiting(held.attempts(), held.error())
                && !held.isBlocked()
                && held.firstFailedAt().isPresent()
                && held.destination().isPresent();
    }

    private Waiting waiting(Tracked<T> tracked, Held held) {
        return new Waiting(
                held.destination().orElseThrow(),
                tracked.item().message().topic(),
                1,
                held.firstFailedAt(),
                held.error());
    }

    private HeldHead head(Tracked<T> tracked) {
        Held held = (Held) tracked.standing();
        OutboxMessage message = tracked.item().message();
        Optional<Duration> wait = held.isBlocked()
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(Math.max(0, held.dueAt() - memory.nanos())));
        return new HeldHead(
                tracked.ref(),
                message.topic(),
                message.type(),
                message.key(),
                held.attempts(),
                held.error(),
                wait,
                held.firstFailedAt());
    }
}
