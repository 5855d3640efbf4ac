package dev.postrider.benchpeers;

import dev.postrider.bench.measure.BenchException;
import dev.postrider.bench.measure.Span;
import dev.postrider.bench.store.BenchDatabase;
import java.time.Duration;

/** One turn of a peer: tables, a backlog through its own API, its delivery, the proof, and no tables again. Stateless. */
final class PeerDrain {

    private static final int IN_TRANSACTION = 100;

    /** Longer than any peer waits before its first message. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    private PeerDrain() {}

    /**
     * Enqueues {@code count} messages and lets the peer deliver them.
     *
     * @throws BenchException if one did not arrive
     */
    static PeerRound run(Peer peer, BenchDatabase database, PeerMessages messages, int count) throws Exception {
        PeerTables tables = PeerTables.of(peer, database);
        tables.requireAbsent();
        Deliveries deliveries = new Deliveries(messages, count);
        try (PeerOutbox outbox = peer.open(database, deliveries)) {
            double enqueueRate = enqueue(outbox, messages, count);
            tables.analyze();
            long start = System.nanoTime();
            outbox.deliver();
            deliveries.await(SILENCE);
            awaitAcknowledged(outbox);
            return new PeerRound(
                    deliveries.rate(), Span.since(start), enqueueRate, deliveries.distinct(), deliveries.repeats());
        } finally {
            tables.drop();
        }
    }

    private static double enqueue(PeerOutbox outbox, PeerMessages messages, int count) throws Exception {
        long start = System.nanoTime();
        for (int number = 0; number < count; number += IN_TRANSACTION) {
            outbox.enqueue(messages.range(number, Math.min(number + IN_TRANSACTION, count)));
        }
        return count * 1e9 / (System.nanoTime() - start);
    }

    /** What arrived is to be done for the peer, too: its last rows may still be on their way. */
    static void awaitAcknowledged(PeerOutbox outbox) throws Exception {
        long end = System.nanoTime() + SILENCE.toNanos();
        long pending = outbox.pending();
        while (pending > 0) {
            if (System.nanoTime() > end) {
                throw new BenchException(pending + " messages arrived and would come again");
            }
            Thread.sleep(20);
            pending = outbox.pending();
        }
    }
}
