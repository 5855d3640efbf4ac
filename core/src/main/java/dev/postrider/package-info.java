/**
 * Postrider, a transactional outbox: messages and data in one database transaction, delivered afterwards.
 *
 * <p>{@link dev.postrider.Outbox} is where a service writes messages; {@link dev.postrider.relay.Relay} delivers them;
 * {@link dev.postrider.Inbox} makes their effects happen once.
 */
@NullMarked
package dev.postrider;

import org.jspecify.annotations.NullMarked;
