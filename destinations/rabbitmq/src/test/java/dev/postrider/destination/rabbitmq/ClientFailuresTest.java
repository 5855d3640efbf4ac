package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ClientFailuresTest {

    @Test
    void logsResetConnectionsOnceAndWithoutATrace() {
        Logger logger = (Logger) LoggerFactory.getLogger(ClientFailures.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            for (int i = 0; i < 5; i++) {
                new ClientFailures().log("An unexpected error occurred", new SocketException("Connection reset"));
            }
        } finally {
            logger.detachAppender(lines);
        }

        assertThat(lines.list.stream().filter(line -> line.getLevel() == Level.WARN))
                .singleElement()
                .satisfies(line -> assertThat(line.getFormattedMessage()).contains("Connection reset"))
                .satisfies(line -> assertThat(line.getThrowableProxy()).isNull());
    }

    @Test
    void everyConnectionHasIt() {
        AtomicReference<ConnectionFactory> seen = new AtomicReference<>();
        BrokerAccess access = new BrokerAccess(
                List.of(new Address("localhost", 1)),
                "guest",
                "guest",
                "/",
                Optional.empty(),
                Duration.ofSeconds(1),
                seen::set);

        assertThatThrownBy(() -> access.open("test", factory -> {})).isInstanceOf(IOException.class);
        assertThat(seen.get().getExceptionHandler()).isInstanceOf(ClientFailures.class);
    }
}
