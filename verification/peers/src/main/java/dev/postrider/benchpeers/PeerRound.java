package dev.postrider.benchpeers;

import dev.postrider.bench.measure.Span;

/**
 * What a peer did in one turn.
 *
 * @param rate messages delivered per second
 * @param span from the first delivery that was allowed to the last acknowledgement
 * @param enqueueRate messages committed per second, by one thread
 * @param delivered how many different messages arrived
 * @param repeats how many came once more
 */
record PeerRound(double rate, Span span, double enqueueRate, long delivered, long repeats) {}
