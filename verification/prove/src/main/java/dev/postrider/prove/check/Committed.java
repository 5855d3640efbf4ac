package dev.postrider.prove.check;

import java.util.Optional;

/**
 * A message whose transaction committed.
 *
 * @param key empty for a message without order
 * @param n its number among those of its key, counted under the lock of the key's row
 */
public record Committed(String id, Optional<String> key, long n) {

    /** The key, or what stands for it: a message without one is alone. */
    String keyOrId() {
        return key.orElse(id);
    }
}
