/** Compares what was committed with what arrived. Knows no server. */
@NullMarked
package dev.postrider.prove.check;

import org.jspecify.annotations.NullMarked;
