package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.servers.TcpFaultProxy.Direction;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.testkit.BrokerContract;
import dev.postrider.testkit.BrokerFixture;
import dev.postrider.testservers.PrivateKafka;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KafkaDestinationIT extends BrokerContract {

    private final PrivateKafka kafka = StoppableKafka.broker();
    private final TcpFaultProxy proxy = StoppableKafka.proxy();

    @Test
    void endsEverySendInTimeWhenTheBufferIsFullAndNobodyAnswers() {
        String topic = new TestTopics(kafka.bootstrapServers()).create(1);
        Duration timeout = Duration.ofSeconds(8);
        try (KafkaDestination destination = KafkaDestination.builder("kafka", kafka.host() + ":" + proxy.port())
                .deliveryTimeout(timeout)
                .closeTimeout(Duration.ZERO)
                .property("buffer.memory", 2_000_000)
                .build()) {
            OutboxMessage first = OutboxMessage.builder(topic).type("t").build();
            assertThat(destination.send(first).toCompletableFuture()).succeedsWithin(timeout.plusSeconds(10));
            proxy.hold(Direction.TO_CLIENT);
            byte[] payload = new byte[500_000];
            List<CompletableFuture<DeliveryResult>> sendings = IntStream.range(0, 60)
                    .mapToObj(i -> destination
                            .send(OutboxMessage.builder(topic)
                                    .type("t")
                                    .payload(payload)
                                    .build())
                            .toCompletableFuture())
                    .toList();

            CompletableFuture<Void> all = CompletableFuture.allOf(sendings.toArray(new CompletableFuture<?>[0]));
            assertThat(all).succeedsWithin(timeout.plusSeconds(10));
            assertThat(sendings).allMatch(sending -> sending.join() instanceof DeliveryResult.Outage);
        } finally {
            proxy.heal();
        }
    }

    @Override
    protected BrokerFixture newFixture(BrokerFixture.Setup setup) {
        return new KafkaFixture(setup);
    }
}
