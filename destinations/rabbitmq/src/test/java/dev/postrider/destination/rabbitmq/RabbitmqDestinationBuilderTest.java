package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RabbitmqDestinationBuilderTest {

    @Test
    void refusesBadValuesWithTheirRange() {
        RabbitmqDestinationBuilder builder = RabbitmqDestination.builder("rabbit");

        assertThatThrownBy(() -> builder.channels(0)).hasMessageContaining("channels is 0, expected 1 to 64");
        assertThatThrownBy(() -> builder.maxInFlight(0)).hasMessageContaining("maxInFlight");
        assertThatThrownBy(() -> builder.deliveryTimeout(Duration.ZERO)).hasMessageContaining("deliveryTimeout");
        assertThatThrownBy(builder::addresses).hasMessageContaining("addresses");
    }

    @Test
    void refusesAnotherUriWithoutRepeatingItsPassword() {
        assertThatThrownBy(() -> RabbitmqDestination.builder("rabbit").uri("http://user:secret@host/"))
                .hasMessageContaining("amqp[s]://")
                .hasMessageNotContaining("secret");
    }

    @Test
    void takesEverythingFromAUri() {
        try (Destination destination = RabbitmqDestination.builder("rabbit")
                .uri("amqp://us%40er:p%3Aass@localhost:1/some%2Fhost")
                .build()) {
            Health health = destination.healthCheck();

            assertThat(health).isInstanceOf(Health.Down.class);
            assertThat(((Health.Down) health).reason()).contains("localhost:1").doesNotContain("p:ass");
        }
    }

    @Test
    void givesUpALittleBeforeTheDeliveryTimeout() {
        try (Destination destination = RabbitmqDestination.builder("rabbit")
                .deliveryTimeout(Duration.ofSeconds(2))
                .build()) {
            assertThat(destination.deliveryTimeout()).isEqualTo(Duration.ofSeconds(2));
        }
    }

    @Test
    void refusesHeadersThatFitInNoFrame() {
        BasicProperties.Builder properties =
                new BasicProperties.Builder().messageId("id").type("type").contentType("c");
        WireMessage small = new WireMessage(
                "e", "r", properties.headers(Map.of("a", "x".repeat(3_000))).build(), new byte[0]);
        WireMessage large = new WireMessage(
                "e", "r", properties.headers(Map.of("a", "ä".repeat(3_000))).build(), new byte[0]);

        assertThat(HeaderFrame.refusal(small, 4_096)).isEmpty();
        assertThat(HeaderFrame.refusal(large, 4_096)).isPresent();
        assertThat(HeaderFrame.refusal(large, 0)).isEmpty();
    }
}
