package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

/** PostgreSQL and Kafka, found where the application finds them, and a handler with the inbox. Runs on every line of Boot. */
class SmokeIT {

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

    @Test
    void carriesAnEventToAHandler() {
        application.run(context -> {
            OrderShop.assertCarries(context, 5);
            // The last transaction commits after its handler has returned.
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            Eventually.assertThat(() -> jdbc.queryForList("select * from inbox"), 5);
        });
        Eventually.assertThat(SmokeIT::consumers, 0);
        assertThat(levelOf("org.apache.kafka.clients.producer.ProducerConfig")).isEqualTo(Level.WARN);
    }

    /** One that is left behind would keep its partitions from the next application for minutes. */
    private static Set<Thread> consumers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("kafka-coordinator-heartbeat-thread"))
                .collect(Collectors.toSet());
    }

    private static Level levelOf(String logger) {
        return ((Logger) LoggerFactory.getLogger(logger)).getLevel();
    }
}
