/**
 * Delivers messages to NATS JetStream, where delivered means acknowledged by a stream, and receives from it.
 *
 * <p>Start reading at {@link dev.postrider.destination.nats.NatsDestination}. An {@code EventMapping} turns a message into what goes
 * over the wire and back; a {@code NatsLink} is one connection with what is not acknowledged on it; {@code Streams} finds out why
 * nobody took a message; {@code Failures} says what each error means. For the other way start at {@link
 * dev.postrider.destination.nats.NatsReceiver}.
 */
@NullMarked
package dev.postrider.destination.nats;

import org.jspecify.annotations.NullMarked;
