package dev.postrider.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.spi.Destination;
import dev.postrider.spi.ReceiverException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventBusTest {

    private static final EventType<String> CREATED = EventType.of("example.books.v1.BookCreated", String.class);
    private static final EventType<String> BURNT = EventType.of("example.books.v1.BookBurnt", String.class);

    private final StubReceiver receiver = new StubReceiver();
    private final CodecRegistry codecs = CodecRegistry.of(new TextCodec("json"));
    private final EventBus bus = EventBus.over(
            EventPublishers.builder(codecs).build(),
            Destination.blocking("nowhere", message -> {}),
            name -> receiver,
            codecs);

    @Test
    void tellsWhyASubscriptionHasEnded() {
        try (EventBus.Running running = bus.subscribe("billing", (event, context) -> {}, Set.of())) {
            assertThat(running.termination().toCompletableFuture()).isNotDone();

            receiver.termination.completeExceptionally(new ReceiverException("the queue was deleted"));

            assertThat(running.termination().toCompletableFuture()).isCompletedExceptionally();
            assertThatThrownBy(() -> running.termination().toCompletableFuture().join())
                    .hasRootCauseMessage("the queue was deleted");
        }
    }

    @Test
    void closesTheReceiverThatDoesNotStart() {
        receiver.refusal = new ReceiverException("no such queue");

        assertThatThrownBy(() -> bus.subscribe("billing", (event, context) -> {}, Set.of()))
                .isSameAs(receiver.refusal);

        assertThat(receiver.isClosed).isTrue();
    }

    @Test
    void closesTheReceiverOfATypeThatCannotBe() {
        assertThatThrownBy(() -> bus.subscribe("billing", (event, context) -> {}, Set.of("NoService")))
                .isInstanceOf(InvalidEventTypeException.class);

        assertThat(receiver.isClosed).isTrue();
    }

    @Test
    void subscribesThroughTheBusUntilClosed() throws Exception {
        MemoryDestination destination = MemoryDestination.named("memory");
        EventBus inMemory =
                EventBus.over(EventPublishers.builder(codecs).build(), destination, destination::receiver, codecs);
        BlockingQueue<String> handled = new LinkedBlockingQueue<>();
        EventBus.Running all = inMemory.subscribe("all", (message, context) -> handled.add("all"), Set.of());
        inMemory.publish(CREATED, "a");
        assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo("all");
        all.close();

        try (EventBus.Running some =
                inMemory.subscribe("some", (message, context) -> handled.add(message.type()), Set.of(BURNT.name()))) {
            assertThat(some).isNotNull();
            inMemory.publishAll(List.of(Publication.of(CREATED, "b"), Publication.of(BURNT, "c")));
            assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo(BURNT.name());
        }
        destination.close();
        assertThat(handled).isEmpty();
    }
}
