/**
 * Delivers to a destination of one's own, here a web hook. Start reading at
 * {@link dev.postrider.examples.owndestination.OwnDestination}.
 */
@NullMarked
package dev.postrider.examples.owndestination;

import org.jspecify.annotations.NullMarked;
