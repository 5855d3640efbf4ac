/**
 * Opens the database of an outbox and the store in it, from settings instead of code.
 *
 * <p>Start at {@link dev.postrider.service.database.OutboxDatabase}.
 */
@Internal
@NullMarked
package dev.postrider.service.database;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
