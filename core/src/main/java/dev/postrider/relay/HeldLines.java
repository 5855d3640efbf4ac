package dev.postrider.relay;

import dev.postrider.relay.WorkerGates.UnroutableException;
import dev.postrider.spi.HeldLine;
import dev.postrider.spi.KeyState;
import dev.postrider.spi.OutboxRow;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out for which destinations the keys of fetched rows are held.
 *
 * <p>The fetch says in its own snapshot which keys are held at all. Asking for the destinations afterwards is as good: only the
 * owner of a lane, which is this worker, changes what is held in it. A key that is not held costs nothing more.
 */
final class HeldLines {

    private final RelayContext context;
    private final WorkerGates gates;

    HeldLines(RelayContext context, WorkerGates gates) {
        this.context = context;
        this.gates = gates;
    }

    /** The lines of these rows that have held messages. */
    Set<HeldLine> occupied(List<OutboxRow> rows) {
        Set<HeldLine> lines = new HashSet<>();
        for (OutboxRow row : rows) {
            if (row instanceof OutboxRow.Hot hot && hot.keyState() == KeyState.HELD) {
                lineOf(hot).ifPresent(lines::add);
            }
        }
        boolean isAnswered = lines.isEmpty() || gates.all().size() == 1;
        return isAnswered ? lines : context.relayStore().held().occupied(lines);
    }

    private Optional<HeldLine> lineOf(OutboxRow.Hot row) {
        try {
            WorkerGate gate = gates.gateFor(row.message());
            return row.key().map(key -> new HeldLine(row.lane(), key, gate.shared.name()));
        } catch (UnroutableException unroutable) {
            // It is given up when it is admitted.
            return Optional.empty();
        }
    }
}
