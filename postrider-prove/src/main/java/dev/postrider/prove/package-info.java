/**
 * A user's own proof: writers commit and roll back, relays in processes of their own deliver, faults strike both, and at the
 * end the broker's content is compared with what was committed.
 *
 * <p>{@link dev.postrider.prove.Proof} runs one. {@link dev.postrider.prove.check} compares, and knows nothing of how the
 * evidence came about.
 */
@NullMarked
package dev.postrider.prove;

import org.jspecify.annotations.NullMarked;
