/** Makes a proof: writers, relays in processes of their own, faults, and the comparison at the end. */
@Internal
@NullMarked
package dev.postrider.prove.run;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
