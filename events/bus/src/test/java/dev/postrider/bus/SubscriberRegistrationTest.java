package dev.postrider.bus;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.destination.memory.MemoryDestination;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers that cannot be registered (A000-04 of the reference). */
@Timeout(60)
class SubscriberRegistrationTest {

    private static final EventType<String> CREATED = EventType.of("example.books.v1.BookCreated", String.class);
    private static final EventType<String> BURNT = EventType.of("example.books.v1.BookBurnt", String.class);

    private final MemoryDestination destination = MemoryDestination.named("memory");
    private final Subscriber subscriber = Subscriber.builder(
                    "billing", destination.receiver("billing"), CodecRegistry.of(new TextCodec("json")))
            .build();

    @AfterEach
    void close() {
        subscriber.close();
        destination.close();
    }

    @Test
    void refusesHandlersThatCannotBe() {
        subscriber.register(CREATED, (event, context) -> {});

        assertThatThrownBy(() -> subscriber.register(CREATED, (event, context) -> {}))
                .isInstanceOf(RegistrationException.class)
                .hasMessageContaining("example.books.v1.BookCreated has a handler already");
        subscriber.start();
        assertThatThrownBy(() -> subscriber.register(BURNT, (event, context) -> {}))
                .isInstanceOf(RegistrationException.class)
                .hasMessageContaining("was started");
        assertThatThrownBy(subscriber::start).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesToStartWithoutHandlers() {
        assertThatThrownBy(subscriber::start)
                .isInstanceOf(RegistrationException.class)
                .hasMessageContaining("no handlers");
    }
}
