package dev.postrider.tracing;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Does what the instrumentation of Kafka's client does: a span of its own, whose context takes the place of a header that is there. */
public final class KafkaInstrumentation implements ProducerInterceptor<byte[], byte[]> {

    static volatile OpenTelemetry openTelemetry = OpenTelemetry.noop();

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
        Span span = openTelemetry
                .getTracer("kafka-clients")
                .spanBuilder(record.topic() + " publish")
                .setSpanKind(SpanKind.PRODUCER)
                .startSpan();
        W3CTraceContextPropagator.getInstance()
                .inject(
                        Context.current().with(span),
                        record.headers(),
                        (headers, name, value) ->
                                headers.remove(name).add(name, value.getBytes(StandardCharsets.UTF_8)));
        span.end();
        return record;
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception failure) {}

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> configs) {}
}
