/**
 * Destinations by type and settings: {@link dev.postrider.service.destination.DestinationFactory} is the port, found by
 * {@link java.util.ServiceLoader}.
 */
@NullMarked
package dev.postrider.service.destination;

import org.jspecify.annotations.NullMarked;
