/** Compares what was committed with what arrived. Knows no server. */
@Internal
@NullMarked
package dev.postrider.prove.check;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
