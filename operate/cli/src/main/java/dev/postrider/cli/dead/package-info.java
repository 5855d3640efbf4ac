/** Dead letters for operators: which are meant, how they are shown, and what is done to them. */
@Internal
@NullMarked
package dev.postrider.cli.dead;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
