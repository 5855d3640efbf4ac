package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.InvalidMessageException;
import dev.postrider.spi.internal.ReceivedEvent;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What other producers write. */
class CloudEventRecordsTest {

    private static final byte[] NO_UTF8 = {'a', (byte) 0xFF};

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ReceivedEvent read(byte @Nullable [] key, byte @Nullable [] value, RecordHeaders headers) {
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("orders", 0, 7, key, value);
        return CloudEventRecords.read(record, headers, record.topic());
    }

    private static RecordHeaders binary() {
        RecordHeaders headers = new RecordHeaders();
        headers.add("ce_specversion", utf8("1.0"));
        headers.add("ce_id", utf8("17"));
        headers.add("ce_source", utf8("/shop"));
        headers.add("ce_type", utf8("placed"));
        return headers;
    }

    private static RecordHeaders structured() {
        RecordHeaders headers = new RecordHeaders();
        headers.add("content-type", utf8("Application/CloudEvents+JSON; charset=UTF-8"));
        return headers;
    }

    @Test
    void readsOneObjectWithItsKey() {
        byte[] value = utf8("""
                {"specversion":"1.0","id":"17","source":"/shop","type":"placed","subject":null,"count":3,
                 "partitionkey":"order-17","datacontenttype":"text/plain","data_base64":"aGk="}""");

        ReceivedEvent read = read(null, value, structured());

        assertThat(read.event().orElseThrow().id()).isEqualTo("17");
        assertThat(read.event().orElseThrow().subject()).isEmpty();
        assertThat(read.event().orElseThrow().extensions()).containsEntry("count", "3");
        assertThat(read.message().key()).contains("order-17");
        assertThat(read.message().contentType()).isEqualTo("text/plain");
        assertThat(read.message().payload()).isEqualTo(utf8("hi"));
        assertThat(read(utf8("own"), value, structured()).message().key()).contains("own");
    }

    @Test
    void readsAnObjectWithoutData() {
        byte[] value = utf8("{\"specversion\":\"1.0\",\"id\":\"17\",\"source\":\"/shop\",\"type\":\"placed\"}");

        assertThat(read(null, value, structured()).message().payload()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"specversion\":\"1.0\"}",
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":{}}",
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"t\",\"data_base64\":\"?\"}"
            })
    void refusesWhatIsNoEvent(String value) {
        assertThatThrownBy(() -> read(null, utf8(value), structured())).isInstanceOf(InvalidMessageException.class);
    }

    @Test
    void guessesAtNoAttributeThatIsNotUtf8() {
        RecordHeaders headers = binary();
        headers.remove("ce_id").add("ce_id", NO_UTF8);

        assertThatThrownBy(() -> read(null, utf8("{}"), headers))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("id is not UTF-8");
        assertThatThrownBy(() -> read(null, NO_UTF8, structured()))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("UTF-8");
    }

    @Test
    void replacesWhatIsNotUtf8InOtherHeadersAndKeys() {
        RecordHeaders headers = binary();
        headers.add("trace-bin", NO_UTF8);

        ReceivedEvent read = read(NO_UTF8, null, headers);

        assertThat(read.message().headers().get("trace-bin")).contains("a\uFFFD");
        assertThat(read.message().key()).contains("a\uFFFD");
        assertThat(read.message().payload()).isEmpty();
    }
}
