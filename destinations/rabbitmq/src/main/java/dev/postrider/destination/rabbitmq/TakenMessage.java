package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import java.util.Map;
import java.util.Optional;

/** What came out of a queue, as it came; whatever it is, it must be settled on the session that took it. */
record TakenMessage(ConsumerSession session, Envelope envelope, BasicProperties properties, byte[] body) {

    Map<String, Object> headers() {
        return Optional.ofNullable(properties.getHeaders()).orElse(Map.of());
    }

    void acknowledge() {
        session.acknowledge(envelope.getDeliveryTag());
    }

    /** The broker dead-letters it, if its queue says where. */
    void reject() {
        session.reject(envelope.getDeliveryTag(), false);
    }

    void requeue() {
        session.reject(envelope.getDeliveryTag(), true);
    }

    /** For people. */
    @Override
    public String toString() {
        return "Message " + envelope.getDeliveryTag() + " of exchange '" + envelope.getExchange() + "'";
    }
}
