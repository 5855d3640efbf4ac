package dev.postrider.destination.kafka;

import dev.postrider.message.OutboxMessage;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes records directly, also such as no destination would write. */
final class TestProducer implements AutoCloseable {

    private final CloudEventRecords records = new CloudEventRecords("/test");
    private final KafkaProducer<byte[], byte[]> producer;

    TestProducer(String servers) {
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers, "max.request.size", 20 << 20),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    void send(OutboxMessage message, int partition) {
        ProducerRecord<byte[], byte[]> record = records.write(message, message.topic());
        send(new ProducerRecord<>(record.topic(), partition, record.key(), record.value(), record.headers()));
    }

    void send(ProducerRecord<byte[], byte[]> record) {
        try {
            producer.send(record).get(60, TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new IllegalStateException("Cannot send to " + record.topic(), failed);
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
