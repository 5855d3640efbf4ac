package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

class LoggingListenerTest {

    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(Relay.class);

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final LoggingListener listener = new LoggingListener(new RelayLog("outbox", "run-1"));

    @BeforeEach
    void capture() {
        lines.start();
        LOGGER.addAppender(lines);
        LOGGER.setLevel(Level.TRACE);
        LOGGER.setAdditive(false);
    }

    @AfterEach
    void release() {
        LOGGER.detachAppender(lines);
        LOGGER.setLevel(null);
        LOGGER.setAdditive(true);
    }

    static Stream<Method> eventsAboutAMessage() {
        return ListenerEvents.all()
                .filter(event -> Stream.of(event.getParameterTypes())
                        .anyMatch(type ->
                                type == Attempt.class || type == OutboxMessage.class || type == MessageId.class));
    }

    @ParameterizedTest
    @MethodSource("dev.postrider.relay.ListenerEvents#all")
    void writesOneLineWithOutboxAndRunForEveryEvent(Method event) throws Exception {
        event.invoke(listener, ListenerEvents.arguments(event));

        assertThat(keyValues(onlyLine())).containsEntry("outbox", "outbox").containsEntry("run", "run-1");
        assertThat(onlyLine().getFormattedMessage()).doesNotContain("{}").isNotBlank();
    }

    @ParameterizedTest
    @MethodSource("eventsAboutAMessage")
    void namesLaneMessageAndAttemptInEveryLineAboutAMessage(Method event) throws Exception {
        event.invoke(listener, ListenerEvents.arguments(event));

        assertThat(keyValues(onlyLine()))
                .containsKeys("lane", "attempt")
                .containsEntry("message", ListenerEvents.MESSAGE.id().toString());
        assertThat(onlyLine().getFormattedMessage())
                .contains(ListenerEvents.MESSAGE.id().toString())
                .contains("lane " + keyValues(onlyLine()).get("lane"));
    }

    @Test
    void keepsTheCauseOfAFailedAttempt() {
        IllegalStateException cause = new IllegalStateException("broken pipe");
        listener.failed(
                new Attempt("broker", 3, ListenerEvents.MESSAGE, 2, 7),
                new DeliveryResult.Retry("busy", Optional.of(cause)),
                Duration.ofMillis(4));

        assertThat(onlyLine().getLevel()).isEqualTo(Level.WARN);
        assertThat(onlyLine().getFormattedMessage())
                .isEqualTo("Attempt 2 to deliver message %s of lane 3 to broker failed: busy"
                        .formatted(ListenerEvents.MESSAGE.id()));
        assertThat(keyValues(onlyLine()))
                .containsEntry("lane", "3")
                .containsEntry("attempt", "2")
                .containsEntry("batch", "7")
                .containsEntry("destination", "broker");
        assertThat(onlyLine().getThrowableProxy().getMessage()).isEqualTo("broken pipe");
    }

    @ParameterizedTest
    @MethodSource("dev.postrider.relay.ListenerEvents#all")
    void showsTimesAsPeopleReadThem(Method event) throws Exception {
        event.invoke(listener, ListenerEvents.arguments(event));

        assertThat(onlyLine().getFormattedMessage() + keyValues(onlyLine())).doesNotContainPattern("\\bPT[0-9]");
    }

    @Test
    void saysNothingOfAnEmptyFetch() {
        listener.fetched(1, 0, Duration.ofMillis(1));

        assertThat(lines.list).isEmpty();
    }

    private ILoggingEvent onlyLine() {
        assertThat(lines.list).hasSize(1);
        return lines.list.get(0);
    }

    private static Map<String, String> keyValues(ILoggingEvent line) {
        return line.getKeyValuePairs().stream()
                .collect(Collectors.toMap((KeyValuePair pair) -> pair.key, pair -> String.valueOf(pair.value)));
    }
}
