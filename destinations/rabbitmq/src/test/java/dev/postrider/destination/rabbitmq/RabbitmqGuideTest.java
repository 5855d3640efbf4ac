package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Destination;
import dev.postrider.spi.KeyOrder;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/** What stands between "snippet" and "end" stands in docs/guides/rabbitmq.md as well; SnippetsTest compares. */
class RabbitmqGuideTest {

    private final String password = "secret";

    @Test
    void opensADestination() {
        // snippet: open
        Destination rabbit = RabbitmqDestination.builder("rabbit")
                .addresses("rabbit-1.example:5672", "rabbit-2.example:5672")
                .credentials("orders", password)
                .virtualHost("shop")
                .build();
        // end
        assertThat(rabbit.name()).isEqualTo("rabbit");
        rabbit.close();
    }

    @Test
    void routesBySettings() {
        // snippet: routing
        Destination rabbit = RabbitmqDestination.builder("rabbit")
                .exchangeFromType()
                .routingKey(message -> message.headers().get("region").orElse("everywhere"))
                .declareExchanges()
                .build();
        // end
        rabbit.close();
    }

    @Test
    void encrypts() throws Exception {
        SSLContext context = SSLContext.getDefault();
        // snippet: tls
        Destination rabbit = RabbitmqDestination.builder("rabbit")
                .addresses("rabbit.example")
                .credentials("orders", password)
                .tls(context)
                .build();
        // end
        rabbit.close();
    }

    @Test
    void sendsStructuredEvents() {
        // snippet: structured
        Destination rabbit = RabbitmqDestination.builder("rabbit")
                .eventMode(EventMode.STRUCTURED)
                .source("/shop")
                .build();
        // end
        rabbit.close();
    }

    @Test
    void sendsManyMessagesOfAKeyAtOnce() {
        // snippet: reordering
        Destination rabbit = RabbitmqDestination.builder("rabbit")
                .addresses("rabbit.example")
                .credentials("orders", password)
                .allowReorderingOnRefusal()
                .build();
        // end
        assertThat(rabbit.keyOrder()).isEqualTo(KeyOrder.PIPELINED);
        rabbit.close();
    }

    @Test
    void setsTheTimes() {
        // snippet: times
        Destination rabbit = RabbitmqDestination.builder("rabbit")
                .deliveryTimeout(Duration.ofSeconds(5))
                .maxInFlight(5_000)
                .channels(8)
                .build();
        // end
        assertThat(rabbit.deliveryTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(rabbit.maxInFlight()).isEqualTo(5_000);
        rabbit.close();
    }

    @Test
    void takesTheExchangeFromTheTopicByDefault() {
        OutboxMessage message = OutboxMessage.builder("orders")
                .type("com.example.orders.Placed")
                .build();
        WireMessage wire = new EventMapping(EventMode.BINARY, Routing.BY_TOPIC_AND_TYPE, "/", true).write(message);

        assertThat(wire.exchange() + "/" + wire.routingKey()).isEqualTo("orders/Placed");
    }
}
