package dev.postrider.bus.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.EventHandler;
import dev.postrider.bus.EventPublishers;
import dev.postrider.bus.EventType;
import dev.postrider.bus.HandleInterceptor;
import dev.postrider.bus.Subscriber;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.destination.memory.MemoryReceiver;
import dev.postrider.destination.memory.MemoryReceiverOptions;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** One publisher, one subscriber and what they saw. */
@Timeout(60)
abstract class InterceptedEvents {

    static final EventType<String> CREATED = EventType.of("example.books.v1.BookCreated", String.class);

    final MemoryDestination destination = MemoryDestination.named("memory");
    final MemoryReceiver receiver = destination.receiver(
            "billing",
            MemoryReceiverOptions.defaults()
                    .withRetryPause(Duration.ofMillis(5))
                    .withMaxAttempts(2));
    final CodecRegistry codecs = CodecRegistry.of(new Strings());
    final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    private Subscriber subscriber;

    @AfterEach
    final void close() {
        if (subscriber != null) {
            subscriber.close();
        }
        destination.close();
    }

    final void handle(HandleInterceptor interceptor, EventHandler<String> handler) {
        subscriber = Subscriber.builder("billing", receiver, codecs)
                .intercept(interceptor)
                .build()
                .register(CREATED, handler);
        subscriber.start();
    }

    final void publish(String data) {
        EventPublishers.builder(codecs).build().to(destination).publish(CREATED, data);
    }

    final String next() throws InterruptedException {
        String next = seen.poll(30, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    final String parkedReason() {
        while (receiver.parked().isEmpty()) {
            Thread.onSpinWait();
        }
        return receiver.parked().get(0).reason();
    }
}
