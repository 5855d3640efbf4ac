package dev.postrider.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.destination.memory.MemoryReceiver;
import dev.postrider.destination.memory.MemoryReceiverOptions;
import dev.postrider.spi.Codec;
import dev.postrider.spi.ReceiverException;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Receivers that do not start, and codecs that fail in ways of their own. */
@Timeout(60)
class SubscriberFailuresTest {

    private static final EventType<String> CREATED = EventType.of("example.books.v1.BookCreated", String.class);

    @Test
    void closesAReceiverThatDoesNotStart() {
        StubReceiver receiver = new StubReceiver();
        receiver.refusal = new ReceiverException("no such queue");
        Subscriber subscriber = Subscriber.builder("billing", receiver, CodecRegistry.of(new TextCodec("json")))
                .build()
                .register(CREATED, (event, context) -> {});

        assertThatThrownBy(subscriber::start).isSameAs(receiver.refusal);

        assertThat(subscriber.isRunning()).isFalse();
        assertThat(receiver.isClosed).isTrue();
    }

    static Stream<Decoding> brokenDecodings() {
        return Stream.of(
                () -> {
                    throw new IllegalStateException("codec is broken");
                },
                () -> {
                    throw new StackOverflowError("too deep");
                },
                () -> null);
    }

    @ParameterizedTest
    @MethodSource("brokenDecodings")
    void parksWhatACodecCannotReadHoweverItFails(Decoding broken) throws InterruptedException {
        CodecRegistry codecs = CodecRegistry.of(new BrokenCodec(broken));
        try (MemoryDestination destination = MemoryDestination.named("memory")) {
            MemoryReceiver receiver = destination.receiver(
                    "billing",
                    MemoryReceiverOptions.defaults().withMaxAttempts(2).withRetryPause(Duration.ofMillis(1)));
            try (Subscriber subscriber =
                    Subscriber.builder("billing", receiver, codecs).build()) {
                subscriber.register(CREATED, (event, context) -> {});
                subscriber.start();
                EventPublishers.builder(codecs).build().to(destination).publish(CREATED, "a");

                while (receiver.parked().isEmpty()) {
                    Thread.sleep(1);
                }
                assertThat(receiver.parked().get(0).reason()).contains("cannot be read");
                assertThat(receiver.parked().get(0).attempts()).isEqualTo(1);
            }
        }
    }

    /** What reading makes of any bytes. */
    interface Decoding {
        Object decode();
    }

    private record BrokenCodec(Decoding decoding) implements Codec {

        @Override
        public String contentType() {
            return "application/broken";
        }

        @Override
        public Set<String> subtypes() {
            return Set.of("broken");
        }

        @Override
        public boolean supports(Class<?> type) {
            return true;
        }

        @Override
        public byte[] encode(Object value) {
            return new byte[] {1};
        }

        @Override
        public <T> T decode(byte[] data, Class<T> type) {
            return type.cast(decoding.decode());
        }
    }
}
