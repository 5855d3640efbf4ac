package dev.postrider.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.spi.Destination;
import dev.postrider.spi.ReceiverException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BrokerEventBusTest {

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
}
