/**
 * What the destinations and receivers of all brokers share. Not API: a new broker of this project is an adapter of its client, a mapping of
 * its errors and a builder around these.
 *
 * <p>A receiver starts at {@link dev.postrider.spi.internal.HandOver}, which keeps every message from its arrival to its settlement, and
 * implements {@link dev.postrider.spi.internal.Settlement}.
 */
@NullMarked
package dev.postrider.spi.internal;

import org.jspecify.annotations.NullMarked;
