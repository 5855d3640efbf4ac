package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postrider.message.CloudEventAttributes;
import dev.postrider.message.Headers;
import dev.postrider.spi.StructuredEvent;
import dev.postrider.spi.internal.ReceivedEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** CloudEvents in structured mode. Plain headers travel as AMQP headers beside the object. */
final class JsonEvent {

    private JsonEvent() {}

    static BasicProperties properties(BasicProperties.Builder properties, CloudEventAttributes event) {
        Map<String, Object> headers = new LinkedHashMap<>();
        event.plainHeaders().asMap().forEach((name, value) -> headers.put(PlainHeaders.checkedName(name), value));
        return properties
                .contentType(StructuredEvent.CONTENT_TYPE)
                .headers(headers)
                .build();
    }

    static ReceivedEvent read(String exchange, BasicProperties properties, byte[] body) {
        StructuredEvent read = StructuredEvent.read(body, plainHeaders(properties));
        return ReceivedEvent.of(read.attributes(), exchange, read.key(), read.payload());
    }

    private static Headers plainHeaders(BasicProperties properties) {
        Map<String, String> plain = new LinkedHashMap<>();
        Optional.ofNullable(properties.getHeaders())
                .orElse(Map.of())
                .forEach((name, value) -> AmqpText.text(value).ifPresent(text -> plain.put(name, text)));
        plain.keySet().removeIf(DeathRecord::isRecord);
        return Headers.of(plain);
    }
}
