package dev.postrider.faults;

import java.util.List;

/**
 * What went wrong.
 *
 * @param lost committed, but neither delivered nor a dead letter nor waiting
 * @param phantoms delivered, but never committed
 * @param duplicates deliveries of messages that had arrived before
 * @param outOfOrder first deliveries that came after a later one of their key
 * @param stuck keys of messages that still wait
 */
record Verdict(
        List<Sent> lost,
        List<Delivery> phantoms,
        List<Delivery> duplicates,
        List<OutOfOrder> outOfOrder,
        List<String> stuck) {

    /** A delivery and the last one of its key that came before it. */
    record OutOfOrder(Delivery before, Delivery late) {}
}
