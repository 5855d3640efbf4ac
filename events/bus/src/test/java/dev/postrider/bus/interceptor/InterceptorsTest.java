package dev.postrider.bus.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.postrider.bus.EventPublisher;
import dev.postrider.bus.EventPublishers;
import dev.postrider.bus.UnprocessableEventException;
import dev.postrider.message.Headers;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.TraceContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class InterceptorsTest extends InterceptedEvents {

    @Test
    void letsTheServiceDecideWhatAFailureMeans() {
        handle(
                new RecoveryInterceptor((failure, context) -> {
                    throw new UnprocessableEventException("Broken for good", failure);
                }),
                (event, context) -> {
                    throw new StackOverflowError("deep");
                });

        publish("a");

        assertThat(parkedReason()).contains("Broken for good");
    }

    @Test
    void parksWhatIsNotValidAndPublishesNoneOfIt() {
        EventValidator validator = event -> event.equals("bad") ? List.of("title is missing") : List.of();
        handle(new ValidationInterceptor(validator), (event, context) -> seen.add(event));

        publish("bad");

        assertThat(parkedReason()).contains("title is missing");
        EventPublisher checking = EventPublishers.builder(codecs)
                .intercept(new ValidationInterceptor(validator))
                .build()
                .to(destination);
        assertThatThrownBy(() -> checking.publish(CREATED, "bad"))
                .isInstanceOf(UnprocessableEventException.class)
                .hasMessageContaining("title is missing");
        assertThat(seen).isEmpty();
    }

    @Test
    void carriesTheTraceFromPublisherToHandler() throws Exception {
        Trace trace = new Trace();
        handle(
                new TraceInterceptor(trace),
                (event, context) -> seen.add(trace.current().orElse("none")));
        EventPublisher publisher = EventPublishers.builder(codecs)
                .intercept(new TraceInterceptor(trace))
                .build()
                .to(destination);

        try (TraceContext.Scope scope = trace.continueFrom("00-1-2-01", "test")) {
            assertThat(scope).isNotNull();
            OutboxMessage message = publisher.publish(CREATED, "a");
            assertThat(message.headers().get(Headers.TRACE_PARENT)).contains("00-1-2-01");
        }

        assertThat(next()).isEqualTo("00-1-2-01");
        publisher.publish(CREATED, "b");
        assertThat(next()).isEqualTo("none");
    }

    @Test
    void measuresBothSidesAndSurvivesABrokenMeter() throws Exception {
        BusMetrics metrics = new BusMetrics() {
            @Override
            public void published(String type, Outcome outcome, Duration duration) {
                seen.add("published " + outcome);
            }

            @Override
            public void handled(String who, String type, Outcome outcome, Duration duration) {
                seen.add(who + " handled " + outcome);
                throw new IllegalStateException("broken meter");
            }
        };
        handle(new MetricsInterceptor(metrics), (event, context) -> {
            if (event.equals("bad")) {
                throw new UnprocessableEventException("never");
            }
        });
        publish("bad");
        assertThat(next()).isEqualTo("billing handled UNPROCESSABLE");
        publish("good");
        assertThat(next()).isEqualTo("billing handled SUCCESS");

        EventPublishers.builder(codecs)
                .intercept(new MetricsInterceptor(metrics))
                .build()
                .to(destination)
                .publish(CREATED, "c");

        assertThat(List.of(next(), next())).contains("published SUCCESS");
    }

    @Test
    void logsWithoutChangingTheOutcome() {
        LoggingInterceptor logging = new LoggingInterceptor();
        handle(logging, (event, context) -> {
            throw new UnprocessableEventException("never");
        });

        EventPublishers.builder(codecs)
                .intercept(logging)
                .build()
                .to(destination)
                .publish(CREATED, "a");

        assertThat(parkedReason()).contains("never");
    }

    @Test
    void logsManyFailuresOfAKindOnce() {
        Logger logger =
                (Logger) LoggerFactory.getLogger("failures-of-" + getClass().getName());
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.DEBUG);
        logger.setAdditive(false);
        EventPublisher failing = EventPublishers.builder(codecs)
                .intercept(new LoggingInterceptor(logger))
                .intercept((publication, next) -> {
                    throw new UnprocessableEventException("never");
                })
                .build()
                .to(destination);

        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> failing.publish(CREATED, "a")).isInstanceOf(UnprocessableEventException.class);
        }

        assertThat(lines.list)
                .extracting(ILoggingEvent::getLevel)
                .containsExactly(Level.WARN, Level.DEBUG, Level.DEBUG, Level.DEBUG, Level.DEBUG);
        assertThat(lines.list.get(0).getFormattedMessage())
                .startsWith("Could not publish " + CREATED.name())
                .contains("never");
        assertThat(lines.list.get(0).getThrowableProxy()).isNull();
    }

    private static final class Trace implements TraceContext {

        private final ThreadLocal<String> parent = new ThreadLocal<>();

        @Override
        public Optional<String> current() {
            return Optional.ofNullable(parent.get());
        }

        @Override
        public Scope continueFrom(String traceParent, String name) {
            parent.set(traceParent);
            return parent::remove;
        }
    }
}
