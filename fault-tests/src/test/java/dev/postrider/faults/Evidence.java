package dev.postrider.faults;

import java.util.List;
import java.util.Set;

/**
 * What the oracle judges.
 *
 * @param delivered in the order of arrival
 * @param dead ids of messages that are dead letters now
 * @param retried ids of messages that were dead letters once; their order is not promised
 * @param left keys of messages that still wait in the outbox
 */
record Evidence(
        List<Sent> committed, List<Delivery> delivered, Set<String> dead, Set<String> retried, List<String> left) {}
