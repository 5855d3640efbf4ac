/**
 * One class per command: it reads its options, calls the API and says how it ended.
 *
 * <p>Start at {@link dev.postrider.cli.command.PostriderCommand}, which lists the others.
 */
@Internal
@NullMarked
package dev.postrider.cli.command;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
