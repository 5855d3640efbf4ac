/**
 * How commands speak to people: progress on a terminal or as plain lines, and tables.
 *
 * <p>Knows nothing of what it shows.
 */
@Internal
@NullMarked
package dev.postrider.cli.output;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
