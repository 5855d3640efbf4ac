package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.Health;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be said without a broker: nothing listens on port 1. */
class KafkaDestinationBuilderTest {

    private static final SendTimes TEN_SECONDS = new SendTimes(Duration.ofSeconds(10));

    private final KafkaDestinationBuilder builder = KafkaDestination.builder("kafka-main", "127.0.0.1:1");

    @ParameterizedTest
    @CsvSource({
        "acks, 1, durable",
        "acks, 0, durable",
        "enable.idempotence, false, reorders",
        "retries, 0, repeat",
        "transactional.id, lane-1, fencing",
        "transaction.timeout.ms, 1000, deliveryTimeout",
        "bootstrap.resolve.timeout.ms, 1000, never comes back",
        "partitioner.ignore.keys, true, key",
        "partitioner.class, org.apache.kafka.clients.producer.RoundRobinPartitioner, key",
        "partitioner.class, org.example.Missing, Partitioner",
        "max.block.ms, 60000, deliveryTimeout",
        "delivery.timeout.ms, 120000, deliveryTimeout",
        "compression.type, gzip, compression",
        "bootstrap.servers, other:9092, builder",
        "key.serializer, org.example.Mine, UTF-8",
        "value.serializer, org.example.Mine, bytes",
    })
    void refusesPropertiesThatWouldBreakAPromise(String name, String value, String reason) {
        assertThatThrownBy(() -> builder.property(name, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name + "=" + value + " is refused")
                .hasMessageContaining(reason);
    }

    @Test
    void acceptsWhatStrengthensOrRepeatsAPromise() {
        builder.properties(Map.of("acks", "all", "enable.idempotence", true, "retries", 5, "linger.ms", 20));

        assertThat(builder.producerProperties(TEN_SECONDS))
                .containsEntry("acks", "all")
                .containsEntry("retries", 5)
                .containsEntry("linger.ms", 20);
    }

    @Test
    void forcesDurabilityAndFitsKafkasTimesIntoOurs() {
        Map<String, Object> properties = builder.compression(Compression.ZSTD).producerProperties(TEN_SECONDS);

        assertThat(properties)
                .containsEntry(ProducerConfig.ACKS_CONFIG, "all")
                .containsEntry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true)
                .containsEntry(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd")
                .containsEntry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 6_500)
                .containsEntry(ProducerConfig.MAX_BLOCK_MS_CONFIG, 500L);
    }

    @Test
    void givesTheAdminClientTheSameAccessAndNothingOfTheProducer() {
        builder.property("security.protocol", "SSL").property("linger.ms", 5).property("my.login.option", "x");

        assertThat(builder.adminProperties(TEN_SECONDS))
                .containsEntry("security.protocol", "SSL")
                .containsEntry("my.login.option", "x")
                .containsEntry(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 2_500)
                .doesNotContainKey("linger.ms");
    }

    @Test
    void refusesWhatKafkaRefusesWhenItIsBuilt() {
        assertThatThrownBy(() -> builder.property("batch.size", "many").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("batch.size");
    }

    /** The broker remembers five batches of a producer: with more on their way it could not tell what is missing. */
    @Test
    void refusesMoreRequestsInFlightThanKeepTheirOrder() {
        assertThatThrownBy(() -> builder.property("max.in.flight.requests.per.connection", 6)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("max.in.flight.requests.per.connection");
    }

    @Test
    void refusesTimesThatDoNotFitTogether() {
        assertThatThrownBy(() -> builder.property("request.timeout.ms", 60_000).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("delivery.timeout.ms");
    }

    @ParameterizedTest
    @CsvSource({"PT0.5S", "PT31M"})
    void refusesADeliveryTimeoutOutsideItsRange(Duration value) {
        assertThatThrownBy(() -> builder.deliveryTimeout(value)).hasMessageContaining("expected 1 s to 30 m");
    }

    @Test
    void refusesABadDefaultTopic() {
        assertThatThrownBy(() -> builder.defaultTopic("no spaces")).hasMessageContaining("'no spaces'");
        assertThatThrownBy(() -> builder.defaultTopic("..")).hasMessageContaining("'..'");
    }

    @Test
    void opensWhileNoServersNameCanBeResolved() {
        try (KafkaDestination destination = KafkaDestination.builder("kafka-main", "nowhere.invalid:9092")
                .deliveryTimeout(Duration.ofSeconds(1))
                .build()) {
            Failed failed = send(destination, "orders");
            assertThat(failed).isInstanceOf(DeliveryResult.Outage.class);
            assertThat(failed.reason()).contains("no address is known for nowhere.invalid:9092");
            assertThat(destination.healthCheck())
                    .isInstanceOfSatisfying(
                            Health.Down.class, down -> assertThat(down.reason()).contains("nowhere.invalid"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ssl.truststore.location, /nosuch/trust.p12, /nosuch/trust.p12",
        "ssl.keystore.location, /nosuch/keys.p12, key store password is not specified",
        "ssl.protocol, TLSv9, TLSv9",
        "ssl.truststore.type, NOSUCH, NOSUCH",
    })
    void tellsWhatIsWrongWithEncryption(String name, String value, String told) {
        builder.property("security.protocol", "SSL").property(name, value);
        if (name.equals("ssl.truststore.type")) {
            builder.property("ssl.truststore.location", "pom.xml");
        }

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Kafka refuses its properties: ")
                .hasMessageContaining(told)
                .hasMessageNotContainingAny("NetworkClient", "Failed to construct");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "PLAIN, nosuch.Module required;, nosuch.Module",
                "PLAIN, ``, Login module not specified in JAAS config",
            })
    void tellsWhatIsWrongWithAnAccount(String mechanism, String login, String told) {
        builder.property("security.protocol", "SASL_PLAINTEXT")
                .property("sasl.mechanism", mechanism)
                .property("sasl.jaas.config", login == null ? "" : login);

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Kafka refuses its properties: ")
                .hasMessageContaining(told)
                .hasMessageNotContainingAny("NetworkClient", "Failed to construct", "s3cr3t");
    }

    @ParameterizedTest
    @ValueSource(strings = {"__consumer_offsets", "__transaction_state", "__cluster_metadata", "_schemas"})
    void rejectsTopicsOfKafkaAndItsToolsUnlessTheyAreAllowed(String topic) {
        try (KafkaDestination destination = builder.build()) {
            Failed failed = send(destination, topic);

            assertThat(failed).isInstanceOf(DeliveryResult.Reject.class);
            assertThat(failed.reason()).contains("'" + topic + "'", "allowInternalTopics");
        }
        try (KafkaDestination mapped =
                builder.topic(message -> Optional.of(topic)).build()) {
            assertThat(send(mapped, "orders")).isInstanceOf(DeliveryResult.Reject.class);
        }
    }

    @ParameterizedTest
    @CsvSource({"with space", "größe", "a/b", "..", "."})
    void rejectsNamesThatNoKafkaTopicCanHave(String topic) {
        try (KafkaDestination destination = builder.build()) {
            Failed failed = send(destination, topic);

            assertThat(failed).isInstanceOf(DeliveryResult.Reject.class);
            assertThat(failed.reason()).contains("'" + topic + "'").contains("249");
        }
    }

    @Test
    void rejectsWhatIsMappedNowhere() {
        try (KafkaDestination destination =
                builder.topic(message -> Optional.empty()).build()) {
            assertThat(send(destination, "orders").reason())
                    .contains("'orders'")
                    .contains("no default");
        }
    }

    private static Failed send(KafkaDestination destination, String topic) {
        OutboxMessage message = OutboxMessage.builder(topic).type("t").build();
        return (Failed) destination.send(message).toCompletableFuture().join();
    }
}
