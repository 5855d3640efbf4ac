package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.postrider.internal.SafeListeners;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.StoreException;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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

    private final String relay = "relay-" + UUID.randomUUID();

    /** Without the lines of other tests' relays, which log their counts up to 30 seconds later. */
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>() {
        @Override
        protected void append(ILoggingEvent line) {
            if (line.getKeyValuePairs() != null && relay.equals(keyValues(line).get("relay"))) {
                super.append(line);
            }
        }
    };

    private final RelayLog log = new RelayLog("outbox", relay);
    private final RelayListener listener =
            SafeListeners.of(RelayListener.class, List.of(new MessageLog(log), new LoggingListener(log)));

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
    void writesOneLineWithOutboxAndRelayForEveryEvent(Method event) throws Exception {
        event.invoke(listener, ListenerEvents.arguments(event));

        assertThat(keyValues(onlyLine())).containsEntry("outbox", "outbox").containsEntry("relay", relay);
        assertThat(onlyLine().getFormattedMessage()).doesNotContain("{}").isNotBlank();
    }

    @ParameterizedTest
    @MethodSource("eventsAboutAMessage")
    void namesLaneMessageAndAttemptInEveryLineAboutAMessage(Method event) throws Exception {
        event.invoke(listener, ListenerEvents.arguments(event));

        assertThat(keyValues(onlyLine()))
                .containsKeys("lane", "attempt")
                .containsEntry("messageId", ListenerEvents.MESSAGE.id().toString());
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
    void countsWhatFailsAgainAndAgain() {
        StoreException away = new StoreException("Could not fetch: refused", new SQLException("refused"));
        for (int i = 0; i < 553; i++) {
            listener.storeFailed(i % 2 == 0 ? StoreOperation.FETCH : StoreOperation.SETTLE, away, Duration.ofMillis(4));
        }
        listener.fetched(1, 0, Duration.ofMillis(1));
        listener.fetched(2, 0, Duration.ofMillis(1));

        assertThat(toldLines()).hasSize(2);
        assertThat(toldLines().get(0).getFormattedMessage())
                .isEqualTo("The store failed to fetch; trying again: Could not fetch: refused");
        assertThat(toldLines().get(0).getThrowableProxy()).isNull();
        assertThat(toldLines().get(1).getFormattedMessage())
                .startsWith("The store answers again after ")
                .endsWith(", 553 failures");
        assertThat(lines.list)
                .filteredOn(line -> line.getLevel() == Level.DEBUG)
                .hasSize(552)
                .allMatch(line -> line.getThrowableProxy() != null);
    }

    @Test
    void tellsEachTopicsFailuresOnceAndTheRestWhenTheRelayCloses() {
        for (int i = 0; i < 300; i++) {
            listener.failed(
                    new Attempt("broker", 3, ListenerEvents.MESSAGE, 1, 7),
                    new DeliveryResult.Retry("busy", Optional.empty()),
                    Duration.ofMillis(4));
        }
        assertThat(toldLines()).hasSize(1);

        listener.closed(null);

        assertThat(toldLines()).hasSize(3);
        assertThat(toldLines().get(1).getFormattedMessage()).contains("failed: busy; 299 more like it in ");
    }

    @Test
    void showsTheTraceOfWhatNobodyExpects() {
        listener.storeFailed(StoreOperation.FETCH, new NullPointerException("oops"), Duration.ofMillis(4));

        assertThat(onlyLine().getThrowableProxy().getMessage()).isEqualTo("oops");
    }

    @Test
    void namesTheTraceOfAMessage() {
        OutboxMessage traced = OutboxMessage.builder("t")
                .type("x")
                .header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
                .build();
        listener.held(new Attempt("broker", 3, traced, 1, 7), Duration.ofSeconds(1));

        assertThat(keyValues(onlyLine())).containsEntry("traceId", "4bf92f3577b34da6a3ce929d0e0e4736");
    }

    @Test
    void saysNothingOfAnEmptyFetch() {
        listener.fetched(1, 0, Duration.ofMillis(1));

        assertThat(lines.list).isEmpty();
    }

    private List<ILoggingEvent> toldLines() {
        return lines.list.stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.INFO))
                .toList();
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
