package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import dev.postrider.internal.JsonText;
import dev.postrider.internal.SafeText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;

/** The log of the standalone relay, by the configuration that is shipped. */
class SafeLogTest {

    private final LoggerContext context = new LoggerContext();
    private final List<String> lines = new ArrayList<>();

    @BeforeEach
    void configureAsShipped() throws JoranException {
        configure("text");
    }

    private void configure(String format) throws JoranException {
        context.reset();
        context.setMDCAdapter(new LogbackMDCAdapter());
        context.putProperty("POSTRIDER_LOG_FORMAT", format);
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

    @ParameterizedTest
    @ValueSource(strings = {"json", "ecs"})
    void writesOneJsonObjectALineWithoutSecrets(String format) throws JoranException {
        configure(format);
        String address = "nats://bob:s3cr3t ^pw@localhost:4222";
        SafeText.rememberAddress(address);

        context.getLogger("x")
                .atWarn()
                .addKeyValue("server", address)
                .setCause(new IllegalStateException("Bad URL: " + address))
                .log("Connected to \n{}", address);

        assertThat(lines).hasSize(1);
        assertThat(lines.get(0)).endsWith("}\n").doesNotContain("s3cr3t", "^pw");
        assertThat(lines.get(0).lines()).hasSize(1);
        assertThat(JsonText.members(lines.get(0)).get("message").scalar())
                .contains("Connected to \nnats://***@localhost:4222");
    }

    @Test
    void namesTheFieldsOfALine() throws JoranException {
        configure("json");
        writeAboutAMessage();
        Map<String, JsonText.Value> plain = JsonText.members(lines.get(0));
        assertThat(plain.keySet())
                .containsExactly(
                        "time",
                        "level",
                        "message",
                        "logger",
                        "thread",
                        "errorType",
                        "error",
                        "stackTrace",
                        "outbox",
                        "relay",
                        "lane",
                        "messageId",
                        "traceId");
        assertThat(plain.get("lane").source()).isEqualTo("3");
        assertThat(plain.get("level").scalar()).contains("WARN");

        configure("ecs");
        writeAboutAMessage();
        assertThat(JsonText.members(lines.get(1)).keySet())
                .containsExactly(
                        "@timestamp",
                        "log.level",
                        "message",
                        "log.logger",
                        "process.thread.name",
                        "ecs.version",
                        "service.name",
                        "error.type",
                        "error.message",
                        "error.stack_trace",
                        "postrider.outbox",
                        "postrider.relay",
                        "postrider.lane",
                        "postrider.message.id",
                        "trace.id");
    }

    private void writeAboutAMessage() {
        context.getLogger("x")
                .atWarn()
                .addKeyValue("outbox", "orders")
                .addKeyValue("relay", "host/1/abc")
                .addKeyValue("lane", 3)
                .addKeyValue("messageId", "id-1")
                .addKeyValue("traceId", "4bf92f3577b34da6a3ce929d0e0e4736")
                .setCause(new IllegalStateException("broken"))
                .log("Failed");
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
