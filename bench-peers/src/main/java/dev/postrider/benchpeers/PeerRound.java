package dev.postrider.benchpeers;

/**
 * What a peer did in one turn.
 *
 * @param rate messages delivered per second
 * @param enqueueRate messages committed per second, by one thread
 * @param delivered how many different messages arrived
 * @param repeats how many came once more
 */
record PeerRound(double rate, double enqueueRate, long delivered, long repeats) {}
