package dev.postrider.spi;

import java.util.Objects;

/**
 * What a destination says of itself when it is asked whether it can be reached.
 *
 * <p>The difference between {@link Up} and {@link Unknown} matters for a message that itself makes the broker drop the
 * connection: only a destination that is known to be up lets the relay tell such a message from an outage.
 */
public sealed interface Health {

    /** The destination was reached just now. */
    Health UP = new Up();

    /** The destination cannot tell without sending a message. */
    Health UNKNOWN = new Unknown();

    static Health down(String reason) {
        return new Down(reason);
    }

    /** It was reached just now. */
    record Up() implements Health {}

    /** It cannot be reached, for a reason that a person can act on; it holds no secret. */
    record Down(String reason) implements Health {
        public Down {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** It cannot tell: sending a message is the only way to find out. */
    record Unknown() implements Health {}
}
