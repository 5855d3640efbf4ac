/**
 * Failures on RabbitMQ: what waits and comes back, and what is parked. Start reading at
 * {@link dev.postrider.examples.rabbitmqparkinglot.RabbitmqParkingLot}.
 */
@NullMarked
package dev.postrider.examples.rabbitmqparkinglot;

import org.jspecify.annotations.NullMarked;
