package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

/** PostgreSQL and Kafka, found where the application finds them, and a handler with the inbox. Runs on every line of Boot. */
class SmokeIT {

    private static final Logger KAFKA = (Logger) LoggerFactory.getLogger("org.apache.kafka");

    private final ListAppender<ILoggingEvent> printed = new ListAppender<>();
    private final Database database = Servers.postgres().createDatabase("spring_boot");
    private final Broker kafka = Servers.kafka();
    private final String topic = "orders-" + UUID.randomUUID();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(OrderShop.class)
            .withPropertyValues(
                    "spring.datasource.url=" + database.jdbcUrl(),
                    "spring.datasource.username=" + database.user(),
                    "spring.datasource.password=" + database.password(),
                    "spring.kafka.bootstrap-servers=" + kafka.host() + ":" + kafka.port(),
                    "orders.topic=" + topic,
                    "postrider.schema-mode=create",
                    "postrider.destinations.kafka.type=kafka",
                    "postrider.subscribers.spring-boot-billing.type=kafka",
                    "postrider.subscribers.spring-boot-billing.topics=" + topic,
                    "postrider.subscribers.spring-boot-billing.create-topics=1 x 1");

    @BeforeEach
    void listen() {
        KAFKA.setLevel(Level.INFO);
        printed.start();
        KAFKA.addAppender(printed);
    }

    @AfterEach
    void stopListening() {
        KAFKA.detachAppender(printed);
        KAFKA.setLevel(null);
    }

    @Test
    void carriesAnEventToAHandlerWithoutADumpOfKafkasProperties() {
        application.run(context -> {
            OrderShop.assertCarries(context, 5);
            // The last transaction commits after its handler has returned.
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            Eventually.assertThat(() -> jdbc.queryForList("select * from inbox"), 5);
        });
        Eventually.assertThat(SmokeIT::consumers, 0);
        assertThat(printed.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .anyMatch(line -> line.startsWith("Kafka version"))
                .noneMatch(line -> line.contains("Config values"));
    }

    /** One that is left behind would keep its partitions from the next application for minutes. */
    private static Set<Thread> consumers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("kafka-coordinator-heartbeat-thread"))
                .collect(Collectors.toSet());
    }
}
