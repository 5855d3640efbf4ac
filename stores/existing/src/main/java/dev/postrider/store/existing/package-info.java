/**
 * Relays the messages of outbox tables that already exist, written by services in any language.
 *
 * <p>Start at {@link dev.postrider.store.existing.StatusOutboxStore} for one table whose rows say how far they are, at
 * {@link dev.postrider.store.existing.MoveOutboxStore} for tables between which rows move, and at
 * {@link dev.postrider.store.existing.Preset} for published schemas, and at {@link dev.postrider.store.existing.TableImport} for the way to
 * an outbox of our own. What comes in is a
 * {@link dev.postrider.store.existing.TableMapping}; what goes out is an {@link dev.postrider.spi.OutboxStore}.
 */
@NullMarked
package dev.postrider.store.existing;

import org.jspecify.annotations.NullMarked;
