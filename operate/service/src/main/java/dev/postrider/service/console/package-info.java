/** What the configuration says of the console: where it answers, who may see and do what, and what is masked. */
@Internal
@NullMarked
package dev.postrider.service.console;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
