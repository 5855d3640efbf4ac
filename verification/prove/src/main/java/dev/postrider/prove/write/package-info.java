/**
 * Services that write to an outbox and keep a ledger of it in the same transactions, so that afterwards it is known what was
 * committed. {@link dev.postrider.prove.write.Writers} is where to start.
 */
@Internal
@NullMarked
package dev.postrider.prove.write;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
