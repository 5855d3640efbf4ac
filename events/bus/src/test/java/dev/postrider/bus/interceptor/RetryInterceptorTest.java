package dev.postrider.bus.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.bus.EventPublisher;
import dev.postrider.bus.EventPublishers;
import dev.postrider.bus.PublishFailedException;
import dev.postrider.bus.PublishInterceptor;
import dev.postrider.bus.UnprocessableEventException;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetryInterceptorTest extends InterceptedEvents {

    private static final Backoff AT_ONCE = failures -> Duration.ofMillis(1);

    @Test
    void retriesAHandlerOnTheSpot() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        handle(new RetryInterceptor(3, AT_ONCE), (event, context) -> {
            if (calls.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
            seen.add(event + context.attempt());
        });

        publish("a");

        assertThat(next()).isEqualTo("a1");
        assertThat(calls).hasValue(3);
    }

    @Test
    void retriesNothingThatIsUnprocessable() {
        AtomicInteger calls = new AtomicInteger();
        handle(new RetryInterceptor(3, AT_ONCE), (event, context) -> {
            calls.incrementAndGet();
            throw new UnprocessableEventException("never");
        });

        publish("a");

        assertThat(parkedReason()).contains("never");
        assertThat(calls).hasValue(1);
    }

    @Test
    void publishesAgainWithTheSameId() {
        List<MessageId> ids = new ArrayList<>();
        PublishInterceptor failingOnce = (publication, next) -> {
            ids.add(publication.options().id().orElseThrow());
            if (ids.size() == 1) {
                throw new IllegalStateException("hiccup");
            }
            return next.proceed(publication);
        };
        destination.subscribe("group", message -> {});
        EventPublisher publisher = EventPublishers.builder(codecs)
                .intercept(new RetryInterceptor(2, AT_ONCE))
                .intercept(failingOnce)
                .build()
                .to(destination);

        OutboxMessage message = publisher.publish(CREATED, "a");

        assertThat(ids).containsExactly(message.id(), message.id());
    }

    @Test
    void givesUpPublishingAfterTheLastAttempt() {
        AtomicInteger calls = new AtomicInteger();
        EventPublisher publisher = EventPublishers.builder(codecs)
                .intercept(new RetryInterceptor(3, AT_ONCE))
                .intercept((publication, next) -> {
                    calls.incrementAndGet();
                    return next.proceed(publication);
                })
                .build()
                .to(destination);

        assertThatThrownBy(() -> publisher.publish(CREATED, "a"))
                .isInstanceOf(PublishFailedException.class)
                .hasMessageContaining("Nobody has subscribed");
        assertThat(calls).hasValue(3);
    }
}
