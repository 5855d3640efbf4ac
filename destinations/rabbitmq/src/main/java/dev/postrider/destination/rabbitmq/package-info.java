/**
 * Delivers messages to RabbitMQ over AMQP 0-9-1: publisher confirms and {@code mandatory} always, so that delivered means stored
 * in at least one queue.
 *
 * <p>Start reading at {@link dev.postrider.destination.rabbitmq.RabbitmqDestination}. An {@code EventMapping} turns a message into
 * what goes over the wire and back; a {@code RabbitmqLink} is one connection, a {@code ConfirmChannel} one channel with what it owes; {@code Failures} says what each error means.
 */
@NullMarked
package dev.postrider.destination.rabbitmq;

import org.jspecify.annotations.NullMarked;
