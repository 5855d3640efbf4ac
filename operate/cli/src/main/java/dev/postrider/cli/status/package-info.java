/** How an outbox stands, read and shown for operators. */
@Internal
@NullMarked
package dev.postrider.cli.status;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
