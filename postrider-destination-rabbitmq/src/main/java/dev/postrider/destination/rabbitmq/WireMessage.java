package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;

/** What is published for one message. */
record WireMessage(String exchange, String routingKey, BasicProperties properties, byte[] body) {}
