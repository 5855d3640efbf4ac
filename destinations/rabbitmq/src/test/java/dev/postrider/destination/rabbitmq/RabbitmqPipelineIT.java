package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Abandoned;
import dev.postrider.spi.DeliveryResult.Unavailable;
import dev.postrider.spi.Destination;
import dev.postrider.spi.KeyOrder;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.LaneTenure;
import dev.postrider.spi.SendContext;
import dev.postrider.testkit.PipelinedKey;
import dev.postrider.testservers.PrivateRabbitmq;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hundreds of messages of a key on their way to queues that refuse nothing, and what can happen to one of them. */
class RabbitmqPipelineIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final PrivateRabbitmq server = Node.server();
    private final TcpFaultProxy proxy = TcpFaultProxy.to(server.host(), server.port());

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void promisesNothingUnlessTold() {
        try (Destination usual = Node.destination().build();
                Destination pipelined = pipelined(server.port()).build()) {
            assertThat(usual.keyOrder()).isEqualTo(KeyOrder.ONE_BY_ONE);
            assertThat(pipelined.keyOrder()).isEqualTo(KeyOrder.PIPELINED);
        }
    }

    @Test
    void keepsTheOrderOfAKey() {
        String exchange = Node.newExchangeWithQueue();
        try (Destination destination = pipelined(server.port()).build()) {
            List<PipelinedKey> keys = sendAll(destination, exchange, 2_000).stream()
                    .map(CompletableFuture::join)
                    .toList();

            assertThat(keys).allSatisfy(key -> assertThat(key.failures()).isEmpty());
            assertOrderIn(exchange, keys);
        }
    }

    @Test
    void keepsTheOrderOfAKeyWhenConnectionsAreCut() {
        String exchange = Node.newExchangeWithQueue();
        try (Destination destination = pipelined(proxy.port()).build()) {
            var sendings = sendAll(destination, exchange, 4_000);
            for (int i = 0; i < 10; i++) {
                pause(100);
                proxy.resetAll();
            }

            assertOrderIn(
                    exchange, sendings.stream().map(CompletableFuture::join).toList());
        }
    }

    /** A message to an exchange that has just gone closes the channel under all that are on it. */
    @Test
    void keepsTheOrderOfAKeyWhenTheBrokerClosesItsChannelBecauseOfAnother() {
        String exchange = Node.newExchangeWithQueue();
        String gone = Node.newName();
        try (Destination destination = pipelined(server.port()).channels(1).build()) {
            var sendings = sendAll(destination, exchange, 4_000);
            for (int i = 0; i < 8; i++) {
                Node.declareExchangeWithQueue(gone);
                destination.send(message(gone)).toCompletableFuture().join();
                Node.inChannel(channel -> channel.exchangeDelete(gone));
                assertThat(destination.send(message(gone)).toCompletableFuture())
                        .succeedsWithin(PATIENCE)
                        .isInstanceOf(Unavailable.class);
            }

            assertOrderIn(
                    exchange, sendings.stream().map(CompletableFuture::join).toList());
        }
    }

    /** What the option's name says. The relay learns the truth all the same: it counts nothing behind the refused one as delivered. */
    @Test
    void reportsNoneAsDeliveredBehindOneThatAFullQueueRefused() {
        String full = Node.newExchangeWithQueue(Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
        String roomy = Node.newExchangeWithQueue();
        KeyRun run = new KeyRun(new Lane());
        try (Destination destination = pipelined(server.port()).build()) {
            List<DeliveryResult> results = Stream.of(full, full, roomy, roomy)
                    .map(exchange -> destination
                            .send(message(exchange), SendContext.of(run))
                            .toCompletableFuture())
                    .toList()
                    .stream()
                    .map(send -> send.orTimeout(60, TimeUnit.SECONDS).join())
                    .toList();

            assertThat(results.get(0)).isEqualTo(DeliveryResult.DELIVERED);
            assertThat(results.get(1)).isInstanceOf(Unavailable.class);
            assertThat(run.isBroken()).isTrue();
            assertThat(destination.send(message(roomy), SendContext.of(run)).toCompletableFuture())
                    .succeedsWithin(PATIENCE)
                    .isInstanceOf(Abandoned.class);
        }
    }

    private static RabbitmqDestinationBuilder pipelined(int port) {
        return Node.destination(port).allowReorderingOnRefusal();
    }

    private static List<CompletableFuture<PipelinedKey>> sendAll(Destination destination, String exchange, int count) {
        return IntStream.range(0, 3)
                .mapToObj(i ->
                        Stream.generate(() -> message(exchange)).limit(count).toList())
                .map(messages -> new PipelinedKey(destination, new Lane(), messages, 100, Duration.ZERO))
                .map(key -> CompletableFuture.supplyAsync(
                        () -> key.sendAll(PATIENCE), task -> new Thread(task, "pipelined-key").start()))
                .toList();
    }

    private static void assertOrderIn(String queue, List<PipelinedKey> keys) {
        int count = keys.stream().mapToInt(key -> key.delivered().size()).sum();
        List<MessageId> arrived =
                Node.messagesIn(queue, count).stream().map(OutboxMessage::id).toList();
        for (PipelinedKey key : keys) {
            List<MessageId> delivered =
                    key.delivered().stream().map(OutboxMessage::id).toList();
            Set<MessageId> ofKey = Set.copyOf(delivered);
            assertThat(arrived.stream().filter(ofKey::contains).distinct().toList())
                    .isEqualTo(delivered);
        }
    }

    private static OutboxMessage message(String exchange) {
        return OutboxMessage.builder(exchange).type("com.example.Placed").build();
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private static final class Lane implements LaneTenure {

        @Override
        public int lane() {
            return 0;
        }

        @Override
        public long epoch() {
            return 1;
        }

        @Override
        public boolean isCertain() {
            return true;
        }
    }
}
