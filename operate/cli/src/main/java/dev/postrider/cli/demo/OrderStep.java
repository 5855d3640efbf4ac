package dev.postrider.cli.demo;

import java.util.List;

/**
 * One transaction of the order service.
 *
 * @param isFirst whether it creates the order
 * @param types of the events that it writes, in order
 * @param mishap what goes wrong on the way
 * @param isPoison whether its first event can never be delivered
 */
record OrderStep(String orderId, boolean isFirst, List<String> types, Mishap mishap, boolean isPoison) {

    /** What goes wrong in a transaction; in the end each one commits. */
    enum Mishap {
        NONE,
        /** Everything is written, then rolled back, then done again. */
        ROLLBACK,
        /** An event is written and rolled back to a savepoint; the rest commits. */
        SAVEPOINT_ROLLBACK
    }
}
