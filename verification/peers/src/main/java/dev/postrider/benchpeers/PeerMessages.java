package dev.postrider.benchpeers;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes messages, and tells from a payload which one it was. Immutable. */
final class PeerMessages {

    /** The same number of keys as in the other scenarios. */
    private static final int KEYS = 10_000;

    /** Lets neighbours have distant keys. */
    private static final int PRIME = 7919;

    private static final int DIGITS = 10;

    private final String filler;

    /** Makes messages whose payloads have {@code bytes} characters, the same for the same seed. */
    PeerMessages(int bytes, long seed) {
        this.filler = new Random(seed)
                .ints(bytes - DIGITS, 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Those from this number to before that one. */
    List<PeerMessage> range(int from, int to) {
        List<PeerMessage> messages = new ArrayList<>(to - from);
        for (int number = from; number < to; number++) {
            messages.add(new PeerMessage(number, "order-" + (long) number * PRIME % KEYS, payload(number)));
        }
        return messages;
    }

    private String payload(int number) {
        String digits = Integer.toString(number);
        return "0".repeat(DIGITS - digits.length()) + digits + filler;
    }

    /** @throws IllegalArgumentException if no message has this payload */
    int numberOf(String payload) {
        if (payload.length() != DIGITS + filler.length() || !payload.endsWith(filler)) {
            throw new IllegalArgumentException("A payload arrived that nobody has sent: " + payload);
        }
        return Integer.parseInt(payload.substring(0, DIGITS));
    }
}
