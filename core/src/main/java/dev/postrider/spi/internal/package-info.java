/**
 * What the destinations and receivers of all brokers share. Not API: a new broker of this project is an adapter of its client, a mapping of
 * its errors and a builder around these.
 *
 * <p>A destination starts at {@link dev.postrider.spi.internal.LinkSender}, which sees to it that each message ends once and in time, and
 * implements {@link dev.postrider.spi.internal.Link}. A receiver starts at {@link dev.postrider.spi.internal.DeliveryQueue}, which keeps
 * every message from its arrival to its settlement, and implements {@link dev.postrider.spi.internal.Settlement}.
 */
@NullMarked
package dev.postrider.spi.internal;

import org.jspecify.annotations.NullMarked;
