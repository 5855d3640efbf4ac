/**
 * The command line of Postrider.
 *
 * <p>Arguments come in; results go to standard output, progress and errors to standard error. Start at
 * {@link dev.postrider.cli.Main}.
 */
@Internal
@NullMarked
package dev.postrider.cli;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
