/**
 * A service that writes: its business transactions ({@link dev.postrider.bench.load.Business}), as many as it can ({@link
 * dev.postrider.bench.load.Producers}) or by a timetable with a relay beside it ({@link dev.postrider.bench.load.MixedLoad}).
 */
@Internal
@NullMarked
package dev.postrider.bench.load;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
