/** The options of each command, checked as they are read: a bad value is refused with the value and the range. */
@Internal
@NullMarked
package dev.postrider.cli.options;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
