package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaReceiverBuilderTest {

    private static KafkaReceiverBuilder builder() {
        return KafkaReceiver.builder("billing", "localhost:9092").topics("orders");
    }

    @ParameterizedTest
    @CsvSource({
        "enable.auto.commit, true",
        "auto.commit.interval.ms, 100",
        "auto.offset.reset, latest",
        "auto.offset.reset, by_duration:PT1H",
        "group.id, other",
        "bootstrap.servers, other:9092",
        "key.deserializer, x",
        "value.deserializer, x",
        "acks, 1"
    })
    void refusesAPropertyThatBreaksAPromise(String name, String value) {
        assertThatThrownBy(() -> builder().property(name, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name + "=" + value)
                .hasMessageContaining("refused");
    }

    @Test
    void takesOtherProperties() {
        Map<String, Object> properties = builder()
                .property("enable.auto.commit", false)
                .property("auto.offset.reset", "none")
                .property("security.protocol", "SSL")
                .property("fetch.min.bytes", 100)
                .consumerProperties();

        assertThat(properties)
                .containsEntry("enable.auto.commit", false)
                .containsEntry("auto.offset.reset", "none")
                .containsEntry("fetch.min.bytes", 100)
                .containsEntry("isolation.level", "read_committed");
    }

    @Test
    void givesItsOtherClientsTheSameAccess() {
        Map<String, Object> properties = builder()
                .property("security.protocol", "SSL")
                .property("fetch.min.bytes", 100)
                .property("interceptor.classes", "x")
                .producerProperties(new SendTimes(Duration.ofSeconds(10)));

        assertThat(properties)
                .containsEntry("security.protocol", "SSL")
                .containsEntry("acks", "all")
                .doesNotContainKeys("fetch.min.bytes", "interceptor.classes");
    }

    @Test
    void refusesWhatDoesNotFitTogether() {
        assertThatThrownBy(() -> KafkaReceiver.builder("billing", "h:1").build())
                .hasMessageContaining("topics");
        assertThatThrownBy(() -> builder().topics("billing.parked").build()).hasMessageContaining("billing.parked");
        assertThatThrownBy(() -> builder()
                        .property("max.poll.interval.ms", 10_000)
                        .rebalanceTimeout(Duration.ofSeconds(6))
                        .build())
                .hasMessageContaining("max.poll.interval.ms");
        assertThatThrownBy(() -> KafkaReceiver.builder("two words", "h:1")).hasMessageContaining("two words");
        assertThatThrownBy(() -> builder().prefetch(0)).hasMessageContaining("1 to 10000");
        assertThatThrownBy(() -> builder().retryTopics()).hasMessageContaining("1 to 20");
    }

    @Test
    void namesRetryTopicsByTheirNumber() {
        RetryPlan plan = builder()
                .retryTopics(Duration.ofSeconds(1), Duration.ofMinutes(1))
                .plan();

        assertThat(plan.ownTopics()).containsExactly("billing.retry.1", "billing.retry.2", "billing.parked");
        assertThat(plan.retryTopicAfter(1)).isEqualTo("billing.retry.1");
        assertThat(plan.retryTopicAfter(7)).isEqualTo("billing.retry.2");
        assertThat(plan.delayOf("billing.retry.2")).contains(Duration.ofMinutes(1));
        assertThat(plan.delayOf("orders")).isEmpty();
    }
}
