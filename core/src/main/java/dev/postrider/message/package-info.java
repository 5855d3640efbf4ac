/**
 * The values of Postrider: a message, its id, its headers and its lane.
 *
 * <p>Everything here is immutable, validated when it is built, and imports nothing else of Postrider. Start reading at
 * {@link dev.postrider.message.OutboxMessage}.
 */
@NullMarked
package dev.postrider.message;

import org.jspecify.annotations.NullMarked;
