/**
 * The relay's and the outbox's numbers as Micrometer meters.
 *
 * <p>Events of relays and maintenance come in through listeners, the outbox's statistics through a thread that reads them now
 * and then; meters go out to the user's registry. Start at {@link dev.postrider.micrometer.PostriderMetrics}; every meter is
 * listed in {@link dev.postrider.micrometer.PostriderMeter}. Receivers have {@link dev.postrider.micrometer.ReceiverMetrics}, publishers and
 * subscribers {@link dev.postrider.micrometer.EventMetrics}.
 */
@NullMarked
package dev.postrider.micrometer;

import org.jspecify.annotations.NullMarked;
