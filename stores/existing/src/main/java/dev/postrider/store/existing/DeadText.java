package dev.postrider.store.existing;

import dev.postrider.spi.DeadReason;
import dev.postrider.spi.RowOutcome;

/** What is written down of a message that was given up: a table has no column for the reason. */
final class DeadText {

    private static final String UNREADABLE = "unreadable: ";
    private static final String REJECTED = "rejected: ";

    private DeadText() {}

    static String of(RowOutcome.Dead dead) {
        return switch (dead.reason()) {
            case UNREADABLE -> UNREADABLE + dead.error();
            case REJECTED -> REJECTED + dead.error();
            case ATTEMPTS_EXHAUSTED, OTHER -> dead.error();
        };
    }

    static DeadReason reasonOf(String text) {
        if (text.startsWith(UNREADABLE)) {
            return DeadReason.UNREADABLE;
        }
        return text.startsWith(REJECTED) ? DeadReason.REJECTED : DeadReason.ATTEMPTS_EXHAUSTED;
    }
}
