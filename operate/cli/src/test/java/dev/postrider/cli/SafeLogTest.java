package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import dev.postrider.internal.SafeText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** The log of the standalone relay, by the configuration that is shipped. */
class SafeLogTest {

    private final LoggerContext context = new LoggerContext();
    private final List<String> lines = new ArrayList<>();

    @BeforeEach
    void configureAsShipped() throws JoranException {
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(Objects.requireNonNull(Main.class.getResource("/logback.xml")));
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        ConsoleAppender<ILoggingEvent> shipped = (ConsoleAppender<ILoggingEvent>) root.getAppender("err");
        root.detachAppender(shipped);
        AppenderBase<ILoggingEvent> collecting = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                lines.add(new String(shipped.getEncoder().encode(event), StandardCharsets.UTF_8));
            }
        };
        collecting.setContext(context);
        collecting.start();
        root.addAppender(collecting);
    }

    @Test
    void showsNoSecretInMessagesValuesAndTraces() {
        String address = "nats://bob:s3cr3t ^pw@localhost:4222";
        SafeText.rememberAddress(address);

        context.getLogger("x")
                .atWarn()
                .addKeyValue("server", address)
                .setCause(new IllegalStateException("outer", new IllegalArgumentException("Bad URL: " + address)))
                .log("Connected to {}", address);

        assertThat(String.join("", lines))
                .contains("Connected to nats://***@localhost:4222 server=\"nats://***@localhost:4222\"")
                .contains("Bad URL: nats://***@localhost:4222")
                .contains("at dev.postrider.cli.SafeLogTest")
                .doesNotContain("s3cr3t", "^pw");
    }

    @Test
    void letsNobodyForgeALineOrColourTheTerminal() {
        String escape = String.valueOf((char) 27);
        String key = "k\n2026-01-01T00:00:00.000Z ERROR forged" + escape + "[31m";

        context.getLogger("x")
                .atWarn()
                .addKeyValue("key", key)
                .setCause(new IllegalStateException(key))
                .log("Message {}", key);

        assertThat(lines).hasSize(1);
        assertThat(lines.get(0)).doesNotContain(escape);
        assertThat(lines.get(0).lines().skip(1)).isNotEmpty().allMatch(line -> line.startsWith("  "));
    }

    @Test
    void endsEachLineWithoutATrace() {
        context.getLogger("x").warn("one");
        context.getLogger("x").warn("two");

        assertThat(lines)
                .allMatch(line ->
                        line.endsWith(System.lineSeparator()) && line.lines().count() == 1);
    }
}
