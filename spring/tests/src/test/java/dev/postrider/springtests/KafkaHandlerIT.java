package dev.postrider.springtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.Subscriber;
import dev.postrider.destination.kafka.KafkaDestination;
import dev.postrider.destination.kafka.KafkaReceiver;
import dev.postrider.relay.Relay;
import dev.postrider.spring.EventHandler;
import dev.postrider.spring.OutboxEvent;
import dev.postrider.spring.SpringOutbox;
import dev.postrider.spring.SubscriberFactory;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Servers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.annotation.Transactional;

/** The whole way on real servers: Spring's transaction, outbox, relay, Kafka, inbox and handler. */
class KafkaHandlerIT {

    private static final String TOPIC = "spring-orders";
    private static final int ORDERS = 100;

    @OutboxEvent(topic = TOPIC, key = "#{key}", type = "com.example.shop.Step")
    record Step(String key, int number) {}

    static class Orders {

        private final SpringOutbox outbox;

        Orders(SpringOutbox outbox) {
            this.outbox = outbox;
        }

        @Transactional
        public void step(int number) {
            outbox.publish(new Step("key-" + number % 5, number));
            if (number % 10 == 9) {
                throw new IllegalStateException("rolled back");
            }
        }
    }

    static class Consumer {

        private final Shop shop;
        private final List<Step> seen = Collections.synchronizedList(new ArrayList<>());
        private int failures;

        Consumer(Shop shop) {
            this.shop = shop;
        }

        @EventHandler(subscriber = "spring-billing")
        synchronized void on(Step step) {
            shop.insertOrder("step-" + step.number());
            if (step.number() % 7 == 0 && failures++ % 2 == 0) {
                throw new IllegalStateException("on purpose, after the insert");
            }
            seen.add(step);
        }

        List<Step> seen() {
            return List.copyOf(seen);
        }
    }

    static class Kafka {

        private static String servers() {
            Broker broker = Servers.kafka();
            return broker.host() + ":" + broker.port();
        }

        @Bean(destroyMethod = "close")
        KafkaDestination destination() {
            return KafkaDestination.builder("kafka", servers())
                    .createTopics(3, 1)
                    .build();
        }

        @Bean(destroyMethod = "close")
        Relay relay(Shop shop, KafkaDestination destination) {
            Relay relay = Relay.withDefaults(shop.store, destination);
            relay.start();
            return relay;
        }

        @Bean
        SubscriberFactory subscribers(CodecRegistry codecs) {
            return name -> Subscriber.builder(
                    name,
                    KafkaReceiver.builder(name, servers())
                            .topics(TOPIC)
                            .createTopics(3, 1)
                            .build(),
                    codecs);
        }
    }

    @Test
    void everyCommittedEventHasItsEffectOnceAndInOrder() {
        try (Shop shop = Shop.open();
                AnnotationConfigApplicationContext context =
                        Application.start(shop, Kafka.class, Orders.class, Consumer.class)) {
            Orders orders = context.getBean(Orders.class);
            List<Integer> committed = IntStream.range(0, ORDERS)
                    .filter(number -> number % 10 != 9)
                    .boxed()
                    .toList();
            for (int number = 0; number < ORDERS; number++) {
                try {
                    orders.step(number);
                } catch (IllegalStateException rolledBack) {
                    assertThat(rolledBack).hasMessage("rolled back");
                }
            }

            Eventually.holds(() -> shop.orders().size() >= committed.size());
            assertThat(shop.orders())
                    .containsExactlyInAnyOrderElementsOf(
                            committed.stream().map(number -> "step-" + number).toList());
            List<Step> seen = context.getBean(Consumer.class).seen();
            for (int key = 0; key < 5; key++) {
                String name = "key-" + key;
                assertThat(seen.stream().filter(step -> step.key().equals(name)).map(Step::number))
                        .isSorted();
            }
        }
    }
}
