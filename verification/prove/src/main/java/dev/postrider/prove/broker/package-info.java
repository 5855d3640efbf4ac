/** Brokers as a proof sees them: prepared before, read back by the plain client afterwards, tidied up at the end. */
@Internal
@NullMarked
package dev.postrider.prove.broker;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
