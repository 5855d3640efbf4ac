package dev.postrider.service.destination;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogDestinationTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(LogDestination.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
        log.start();
    }

    @AfterEach
    void leave() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    @Test
    void letsNoKeyForgeALine() {
        OutboxMessage message = OutboxMessage.builder("orders")
                .type("t")
                .key("k\n2026-01-01 ERROR forged\u001b[31m")
                .build();

        assertThat(new LogDestination("log").send(message).toCompletableFuture().join())
                .isEqualTo(DeliveryResult.DELIVERED);

        assertThat(log.list)
                .singleElement()
                .satisfies(event -> assertThat(event.getFormattedMessage())
                        .contains(message.id().toString(), "topic orders", "type t")
                        .contains("key k\\n2026-01-01 ERROR forged\\u001B[31m"));
    }
}
