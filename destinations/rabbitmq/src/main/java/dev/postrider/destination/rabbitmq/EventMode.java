package dev.postrider.destination.rabbitmq;

/** How a message looks at the broker, as a CloudEvent. */
public enum EventMode {

    /**
     * The body is the payload; the attributes are AMQP properties and headers. The default. A message whose content type is
     * {@code application/cloudevents+json} is sent structured nevertheless.
     */
    BINARY,

    /**
     * The body is one JSON object with attributes and payload, content type {@code application/cloudevents+json}. The payload is
     * its member {@code data} where its content type is JSON, else {@code data_base64}.
     */
    STRUCTURED
}
