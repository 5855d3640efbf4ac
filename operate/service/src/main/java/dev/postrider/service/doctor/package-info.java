/**
 * Looks for what makes an outbox slow or unsafe, and says what to do about it. Changes nothing.
 *
 * <p>Start at {@link dev.postrider.service.doctor.Doctor}. Each check is a small class; {@code DatabaseChecks} chooses those of a
 * database, and a {@link dev.postrider.spi.Destination} brings its own.
 */
@Internal
@NullMarked
package dev.postrider.service.doctor;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
