package dev.postrider.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BrokerAddressTest {
    @Test
    void readsAccountHostPortAndVirtualHost() {
        String uri = "amqp://user:pass@rabbit.example:5671/tests";

        BrokerAddress address = BrokerAddress.parse(BrokerKind.RABBITMQ, uri);

        assertThat(address.user()).isEqualTo("user");
        assertThat(address.password()).isEqualTo("pass");
        assertThat(address.port()).isEqualTo(5671);
        assertThat(address.uri()).isEqualTo(uri);
    }

    @Test
    void takesTheUsualPortAndNoAccountWhereNoneIsGiven() {
        BrokerAddress address = BrokerAddress.parse(BrokerKind.NATS, "nats://nats.example");

        assertThat(address.uri()).isEqualTo("nats://nats.example:4222");
    }

    @Test
    void refusesAnotherSchemeAndNamesTheVariable() {
        assertThatThrownBy(() -> BrokerAddress.parse(BrokerKind.NATS, "http://nats.example"))
                .hasMessageContaining("POSTRIDER_TEST_NATS_URL")
                .hasMessageContaining("nats://");
    }

    @Test
    void readsTheFirstOfSeveralKafkaBrokers() {
        BrokerAddress address = BrokerAddress.parse(BrokerKind.KAFKA, "one.example:9093,two.example:9092");

        assertThat(address.host()).isEqualTo("one.example");
        assertThat(address.port()).isEqualTo(9093);
    }
}
