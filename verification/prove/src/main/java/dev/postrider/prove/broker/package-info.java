/** Brokers as a proof sees them: prepared before, read back by the plain client afterwards, tidied up at the end. */
@NullMarked
package dev.postrider.prove.broker;

import org.jspecify.annotations.NullMarked;
