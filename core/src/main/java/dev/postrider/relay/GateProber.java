package dev.postrider.relay;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Asks unreachable destinations whether they are back; on a thread of its own, since the answer may take seconds. */
final class GateProber implements Loop {

    private static final long WHILE_CLOSED = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long WHILE_OPEN = TimeUnit.SECONDS.toNanos(1);

    private final Collection<DestinationGate> gates;
    private volatile @Nullable Thread thread;

    GateProber(Collection<DestinationGate> gates) {
        this.gates = gates;
        gates.forEach(gate -> gate.watch(this::unpark));
    }

    @Override
    public String name() {
        return "prober";
    }

    @Override
    public long step() {
        gates.forEach(DestinationGate::probeIfDue);
        return gates.stream().anyMatch(DestinationGate::isClosed) ? WHILE_CLOSED : WHILE_OPEN;
    }

    @Override
    public void runsOn(Thread runner) {
        thread = runner;
    }

    @Override
    public void unpark() {
        LockSupport.unpark(thread);
    }
}
