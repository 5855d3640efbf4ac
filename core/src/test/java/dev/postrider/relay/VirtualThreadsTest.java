package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** By reflection, because these classes are made for Java 17. */
@EnabledForJreRange(
        min = JRE.JAVA_21,
        disabledReason = "Virtual threads came with Java 21; verify runs this test where it finds a JDK 25")
class VirtualThreadsTest {

    private static final int MESSAGES = 50;

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());
    private final RecordingDestination broker = new RecordingDestination("broker");

    @Test
    void aRelayRunsOnVirtualThreadsAndEndsThem() throws Exception {
        Set<Boolean> areVirtual = ConcurrentHashMap.newKeySet();
        broker.answer(message -> {
            areVirtual.add(isVirtual(Thread.currentThread()));
            return DeliveryResult.DELIVERED;
        });
        ExecutorService threads = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);

        try (Relay relay = Relay.builder(store, broker).executor(threads).build()) {
            relay.start();
            Outbox.withDefaults(store).inTransaction(store.dataSource(), tx -> tx.enqueue(messages()));
            broker.awaitDelivered(MESSAGES, Duration.ofSeconds(60));
        }
        threads.shutdown();

        assertThat(areVirtual).containsExactly(true);
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    private static OutboxMessage[] messages() {
        return IntStream.range(0, MESSAGES)
                .mapToObj(n -> OutboxMessage.builder("orders")
                        .key("key-" + n)
                        .type("placed")
                        .build())
                .toArray(OutboxMessage[]::new);
    }

    private static boolean isVirtual(Thread thread) {
        try {
            return (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
