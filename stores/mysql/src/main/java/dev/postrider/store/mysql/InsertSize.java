package dev.postrider.store.mysql;

import dev.postrider.message.MessageLimits;

/** How much fits into one statement: the server refuses what is longer than its {@code max_allowed_packet}. */
final class InsertSize {

    /** Drivers send bytes escaped, which at worst doubles them. */
    private static final int ESCAPED = 2;

    /** The texts of a message beside headers and payload, and the SQL around them. */
    private static final long REST_OF_MESSAGE = 8 << 10;

    private static final int MAX_ROWS = 500;
    private static final long LARGEST_INSERT = 8L << 20;

    private InsertSize() {}

    /** The packet that the largest allowed message needs. */
    static long packetFor(MessageLimits limits) {
        return ESCAPED * messageBytes(limits);
    }

    /** How many payload bytes may be in a statement before another message of any allowed size is added. */
    static long payloadBytes(long packet, MessageLimits limits) {
        long rest = packet / ESCAPED - messageBytes(limits) - MAX_ROWS * REST_OF_MESSAGE;
        return Math.min(LARGEST_INSERT, Math.max(0, rest));
    }

    private static long messageBytes(MessageLimits limits) {
        return (long) limits.maxPayloadBytes() + 2L * limits.maxHeaderBytes() + REST_OF_MESSAGE;
    }
}
