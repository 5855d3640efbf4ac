package dev.postrider.source;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.DrainReport;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.relay.StoreOperation;
import dev.postrider.source.ListSource.Event;
import dev.postrider.spi.DeadLetterFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Sources that fail, and items that make no message. */
class SourceFaultsTest extends SourceSetting {

    @Test
    void givesUpAnItemThatIsNoMessageAndGoesOn() {
        source.toMessage = event -> {
            if (event.name().equals("broken")) {
                throw new IllegalStateException("no such type");
            }
            OutboxMessage.Builder late = OutboxMessage.builder("t").type("t").deliverAfter(LONG);
            return event.name().equals("later") ? late.build() : event.toMessage();
        };
        SourceOutboxStore<Event> picky =
                store(builder -> builder.limits(MessageLimits.defaults().withMaxHeaderBytes(1)));
        source.add(event("broken", "a", 1), event("later", "a", 2), event("good", "a", 3));

        assertThat(relay(picky).build().drainOnce()).isEqualTo(new DrainReport(1, 0, 2, true));
        assertThat(source.givenUp)
                .containsExactly(
                        "broken UNREADABLE java.lang.IllegalStateException: no such type",
                        "later UNREADABLE Invalid message: toMessage gave a due time or a dedup key;"
                                + " a source decides itself what it returns, and when");
        assertThat(picky.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), 10))
                .allSatisfy(letter -> assertThat(letter.firstFailedAt()).isEmpty());
        assertThat(picky.deadLetters().requestRetry(DeadLetterFilter.all(), 10, "operator"))
                .isZero();
    }

    @Test
    void givesUpAnItemWhoseMessageIsTooLarge() {
        source.toMessage = event ->
                OutboxMessage.builder("t").type("t").payload(new byte[11]).build();
        SourceOutboxStore<Event> small =
                store(builder -> builder.limits(MessageLimits.defaults().withMaxPayloadBytes(10)));
        source.add(event("large", "a", 1));
        relay(small).build().drainOnce();

        assertThat(source.givenUp).singleElement().asString().contains("payload is 11 bytes long, the limit is 10");
    }

    @Test
    void stopsWithAClearErrorWhenAnItemHasNoId() {
        source.add(event("", "a", 1));
        List<String> problems = new ArrayList<>();
        relay(store).listener(problems(problems)).build().drainOnce();

        assertThat(problems)
                .singleElement(as(STRING))
                .startsWith("fetch: The source events failed to tell the id of Event[name=, key=a, sequence=1]: ");
        assertThat(destination.sent()).isEmpty();
    }

    @Test
    void stopsWithAClearErrorWhenTheSourceReturnsNulls() {
        List<String> problems = new ArrayList<>();
        source.add((Event) null);
        relay(store).listener(problems(problems)).build().drainOnce();

        assertThat(problems)
                .containsExactly("fetch: The source events failed to tell the id of null:"
                        + " java.lang.NullPointerException: null among the items");
    }

    @Test
    void reportsAFailingSourceAndAsksAgain() throws Exception {
        source.failsToFetch = true;
        source.add(event("a1", "a", 1));
        CountDownLatch failures = new CountDownLatch(3);
        try (Relay relay = relay(store)
                .maxPollInterval(Duration.ofMillis(5))
                .listener(new RelayListener() {
                    @Override
                    public void storeFailed(StoreOperation operation, RuntimeException failure, Duration took) {
                        failures.countDown();
                    }
                })
                .build()) {
            relay.start();
            assertThat(failures.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(destination.sent()).isEmpty();

            source.failsToFetch = false;
            destination.awaitDelivered(1, LONG);
        }
    }

    @Test
    void sendsNothingTwiceWhileTheSourceCannotAcknowledge() {
        source.failsToAcknowledge = true;
        source.add(event("a1", "a", 1));
        Relay relay = relay(store).closeTimeout(Duration.ofMillis(300)).build();
        assertThat(relay.drainOnce().isComplete()).isFalse();

        assertThat(destination.sent()).hasSize(1);
        assertThat(source.events()).hasSize(1);
    }

    @Test
    void sendsAnItemOnceHoweverOftenItIsFetched() throws Exception {
        destination.hold();
        IntStream.range(0, 100).forEach(i -> source.add(event("e" + i, "k" + i, 1)));
        try (Relay relay = relay(store).maxPollInterval(Duration.ofMillis(5)).build()) {
            relay.start();
            destination.awaitSent(100, LONG);
            int fetches = source.limits.size();
            await(() -> source.limits.size() > fetches + 5);
            destination.release();
            await(() -> source.events().isEmpty());
        }
        assertThat(destination.sent()).hasSize(100);
    }
}
