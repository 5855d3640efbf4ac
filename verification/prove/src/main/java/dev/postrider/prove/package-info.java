/**
 * A user's own proof: writers commit and roll back, relays in processes of their own deliver, faults strike both, and at the
 * end the broker's content is compared with what was committed.
 *
 * <p>{@code dev.postrider.prove.run.Proof} makes one. The package {@code check} compares, and knows nothing of how the evidence
 * came about. Here is what all parts have in common.
 */
@Internal
@NullMarked
package dev.postrider.prove;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
