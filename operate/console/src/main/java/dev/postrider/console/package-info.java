/**
 * Outboxes in a browser. A {@link dev.postrider.console.Console} answers requests from wherever they come: the standalone relay's HTTP port, a
 * port of its own, or a web framework. Start with {@link dev.postrider.console.Console#handle}: guard, access, route, answer.
 */
@Internal
@NullMarked
package dev.postrider.console;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
