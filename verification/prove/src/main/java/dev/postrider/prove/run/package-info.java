/** Makes a proof: writers, relays in processes of their own, faults, and the comparison at the end. */
@NullMarked
package dev.postrider.prove.run;

import org.jspecify.annotations.NullMarked;
