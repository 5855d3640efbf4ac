package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.postrider.spring.EventHandler;
import dev.postrider.spring.OutboxEvent;
import dev.postrider.spring.SpringOutbox;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** PostgreSQL and Kafka, found where the application finds them, and a handler with the inbox. Runs on every line of Boot. */
class SmokeIT {

    private final Database database = Servers.postgres().createDatabase("spring_boot");
    private final Broker kafka = Servers.kafka();
    private final String topic = "orders-" + UUID.randomUUID();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Shop.class)
            .withPropertyValues(
                    "spring.datasource.url=" + database.jdbcUrl(),
                    "spring.datasource.username=" + database.user(),
                    "spring.datasource.password=" + database.password(),
                    "spring.kafka.bootstrap-servers=" + kafka.host() + ":" + kafka.port(),
                    "orders.topic=" + topic,
                    "postrider.schema-mode=create",
                    "postrider.destinations.kafka.type=kafka",
                    "postrider.subscribers.billing.type=kafka",
                    "postrider.subscribers.billing.topics=" + topic,
                    "postrider.subscribers.billing.create-topics=1 x 1");

    @Test
    void carriesAnEventToAHandler() {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            TransactionTemplate transactions =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            SpringOutbox outbox = context.getBean(SpringOutbox.class);
            for (int i = 1; i <= 5; i++) {
                int number = i;
                transactions.executeWithoutResult(status -> outbox.publish(new OrderPlaced("17", number)));
            }

            List<OrderPlaced> billed = context.getBean(Billing.class).billed;
            Eventually.assertThat(() -> billed, 5);
            assertThat(billed).extracting(OrderPlaced::number).containsExactly(1, 2, 3, 4, 5);
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

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        Billing billing() {
            return new Billing();
        }
    }

    static class Billing {

        final List<OrderPlaced> billed = new CopyOnWriteArrayList<>();

        @EventHandler(subscriber = "billing")
        void bill(OrderPlaced order) {
            billed.add(order);
        }
    }

    @OutboxEvent(topic = "${orders.topic}", key = "#{id}")
    record OrderPlaced(String id, int number) {}
}
