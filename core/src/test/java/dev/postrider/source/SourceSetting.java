package dev.postrider.source;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import dev.postrider.relay.DestinationRouter;
import dev.postrider.relay.DrainReport;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.relay.RelayListener;
import dev.postrider.relay.StoreOperation;
import dev.postrider.source.ListSource.Event;
import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.DeadLetters.DeadLetter;
import dev.postrider.spi.DeadReason;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testkit.TestClock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** A source of events, a relay that drains it, and a destination that records. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class SourceSetting {

    static final Duration LONG = Duration.ofSeconds(10);

    final ListSource source = new ListSource();
    final TestClock clock = new TestClock();
    final SourceOutboxStore<Event> store = store(builder -> builder);
    final RecordingDestination destination = new RecordingDestination("destination");

    @BeforeAll
    static void expectWarnings() {
        logger("dev.postrider").setLevel(Level.OFF);
    }

    @AfterAll
    static void warnAgain() {
        logger("dev.postrider").setLevel(null);
    }

    private static Logger logger(String name) {
        return (Logger) LoggerFactory.getLogger(name);
    }

    final SourceOutboxStore<Event> store(UnaryOperator<SourceStoreBuilder<Event>> options) {
        return options.apply(SourceOutboxStore.builder(source).name("events").clocks(clock, clock::nanoTime))
                .build();
    }

    final RelayBuilder relay(SourceOutboxStore<Event> over) {
        return Relay.builder(over, destination)
                .backoff(Backoff.constant(Duration.ofSeconds(1)))
                .housekeepingInterval(Duration.ofMillis(10));
    }

    final DrainReport drain() {
        return relay(store).build().drainOnce();
    }

    final DestinationRouter byTopic(RecordingDestination mails) {
        return new DestinationRouter() {
            @Override
            public Destination route(OutboxMessage message) {
                return message.topic().equals("mails") ? mails : destination;
            }

            @Override
            public Collection<Destination> destinations() {
                return List.of(destination, mails);
            }
        };
    }

    final void reject(String type) {
        destination.answer(message -> message.type().equals(type) ? DeliveryResult.reject("bad") : delivered());
    }

    static DeliveryResult delivered() {
        return DeliveryResult.DELIVERED;
    }

    static RelayListener problems(List<String> problems) {
        return new RelayListener() {
            @Override
            public void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
                problems.add(operation + ": " + failure.getMessage());
            }
        };
    }

    final List<DeadReason> deadReasons() {
        return store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10).stream()
                .map(DeadLetter::reason)
                .toList();
    }

    final List<String> deliveredOf(String key) {
        return destination.delivered().stream()
                .filter(message -> message.key().equals(Optional.of(key)))
                .map(OutboxMessage::type)
                .toList();
    }

    static List<String> delivered(RecordingDestination destination) {
        return destination.delivered().stream().map(OutboxMessage::type).toList();
    }

    static Event event(String name, String key, long sequence) {
        return new Event(name, key, sequence);
    }

    static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }
}
