package dev.postrider.cli.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of the committed events.
 *
 * @param committed events whose transaction committed
 * @param delivered distinct ones that reached the subscriber
 * @param dead those that did not, but are visible as dead letters
 * @param duplicates arrivals of events that had arrived before
 * @param outOfOrder first arrivals after a later event of the same key
 * @param neverCommitted arrivals of events whose transaction did not commit
 * @param lostEvents those that neither arrived nor are dead letters
 * @param delays from commit to first arrival
 */
record DeliveryCount(
        long committed,
        long delivered,
        long dead,
        long duplicates,
        long outOfOrder,
        long neverCommitted,
        List<CommittedEvent> lostEvents,
        Percentiles delays) {

    long lost() {
        return lostEvents.size();
    }

    /** Whether every promise was kept; duplicates are allowed after a fault. */
    boolean isGood() {
        return lost() == 0 && outOfOrder == 0 && neverCommitted == 0;
    }

    /** For scripts, in the order of the last line. */
    Map<String, Long> numbers() {
        Map<String, Long> numbers = new LinkedHashMap<>();
        numbers.put("committed", committed);
        numbers.put("delivered", delivered);
        numbers.put("dead", dead);
        numbers.put("lost", lost());
        numbers.put("duplicates", duplicates);
        numbers.put("out_of_order", outOfOrder);
        numbers.put("p50_ms", delays.median().toMillis());
        numbers.put("p99_ms", delays.p99().toMillis());
        return numbers;
    }
}
