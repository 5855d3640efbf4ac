/** What is measured: rounds, rates, delays, and the lines that come of them. Knows no database and no relay. */
@Internal
@NullMarked
package dev.postrider.bench.measure;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
