package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Outbox;
import dev.postrider.service.config.ConfigException;
import dev.postrider.service.config.Section;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spring.SpringOutbox;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Properties in all spellings of Boot become the sections of a configuration file. */
class PropertiesTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Shop.class)
            .withPropertyValues("spring.datasource.generate-unique-name=true", "postrider.enabled=true");

    @Test
    void readsTheSpellingsOfBoot() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource(
                        "systemEnvironment", Map.of("POSTRIDER_RELAY_MAXATTEMPTS", "7")));
        environment
                .getPropertySources()
                .addLast(new MapPropertySource(
                        "application",
                        Map.of(
                                "postrider.relay.max-attempts", "3",
                                "postrider.relay.batchSize", "10",
                                "postrider.destinations.kafka.properties.security.protocol", "SSL",
                                "postrider.routes[0].topic", "a.*",
                                "postrider.routes[0].destination", "kafka")));

        Section root = EnvironmentReader.read(environment, "postrider");

        assertThat(root.section("relay").orElseThrow().text("max-attempts")).contains("7");
        assertThat(root.section("relay").orElseThrow().text("batch-size")).contains("10");
        assertThat(root.list("routes"))
                .singleElement()
                .satisfies(route -> assertThat(route.text("topic")).contains("a.*"));
        assertThat(root.sections("destinations")
                        .get("kafka")
                        .section("properties")
                        .orElseThrow()
                        .texts())
                .isEqualTo(Map.of("security.protocol", "SSL"));
    }

    /** Kubernetes sets such variables for services of these names. */
    @Test
    void leavesVariablesAloneThatAreNoKeys() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource(
                        "systemEnvironment",
                        Map.of(
                                "POSTRIDER_SERVICE_HOST", "10.0.0.1",
                                "POSTRIDER_PORT", "tcp://10.0.0.1:8080",
                                "POSTRIDER_PORT_8080_TCP_ADDR", "10.0.0.1",
                                "POSTRIDER_RELAY_SERVICE_PORT", "8080",
                                "POSTRIDER_RELAY_PORT_8080_TCP", "tcp://10.0.0.1:8080",
                                "POSTRIDER_RELAY_OWNPOOL", "false",
                                "POSTRIDER_DATASOURCE", "orders")));

        PostriderProperties properties = PostriderProperties.read(environment);

        assertThat(properties.settings("outbox").hasOwnPool()).isFalse();
        assertThat(properties.settings("outbox").dataSource()).contains("orders");
    }

    @Test
    void takesAListFromOneSourceAsAWhole() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource("first", Map.of("postrider.routes[0].topic", "a")));
        environment
                .getPropertySources()
                .addLast(new MapPropertySource(
                        "last", Map.of("postrider.routes[0].topic", "b", "postrider.routes[1].topic", "c")));

        assertThat(EnvironmentReader.read(environment, "postrider").list("routes"))
                .extracting(route -> route.text("topic").orElseThrow())
                .isEqualTo(List.of("a"));
    }

    @Test
    void refusesKeysBesideSeveralOutboxes() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "first", Map.of("postrider.outboxes.orders.prefix", "o", "postrider.lanes", "4")));

        assertThatThrownBy(() -> PostriderProperties.read(environment))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("postrider.lanes: stands beside 'outboxes'");
    }

    @Test
    void makesTheBeansOfSeveralOutboxes() {
        application
                .withPropertyValues(
                        "postrider.outboxes.orders.prefix=orders_outbox",
                        "postrider.outboxes.orders.schema-mode=create",
                        "postrider.outboxes.bills.prefix=bills_outbox",
                        "postrider.outboxes.bills.schema-mode=create",
                        "postrider.outboxes.bills.relay.enabled=false",
                        "postrider.destinations.out.type=log")
                .withUserConfiguration(Users.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBeansOfType(OutboxStore.class))
                            .containsOnlyKeys("ordersOutboxStore", "billsOutboxStore");
                    assertThat(context.getBean(Users.Orders.class).outbox().outbox())
                            .isSameAs(context.getBean("ordersOutbox", Outbox.class));
                    assertThat(context.getBean("ordersOutboxLifecycle", OutboxLifecycle.class)
                                    .isRunning())
                            .isTrue();
                    assertThat(context.getBean("billsOutboxLifecycle", OutboxLifecycle.class)
                                    .isRunning())
                            .isFalse();
                });
    }

    @Test
    void saysWhatToDoWithoutADestination() {
        application
                .withPropertyValues("postrider.schema-mode=create")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("there is no destination. Set destinations.NAME.type"));
    }

    @Test
    void saysWhatToDoWithoutTables() {
        application
                .withPropertyValues("postrider.destinations.out.type=log")
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("schema"));
    }

    @Test
    void givesWayToBeansOfTheApplication() {
        application
                .withUserConfiguration(OwnStore.class)
                .withPropertyValues("postrider.schema-mode=create", "postrider.destinations.out.type=log")
                .run(context -> assertThat(context.getBean(Outbox.class)).isSameAs(OwnStore.outbox));
    }

    @Test
    void doesNothingWhereItIsSwitchedOff() {
        application
                .withPropertyValues("postrider.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(SpringOutbox.class));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {}

    @Configuration(proxyBeanMethods = false)
    static class OwnStore {
        static Outbox outbox;

        @Bean
        Outbox outbox(OutboxStore store) {
            outbox = Outbox.withDefaults(store);
            return outbox;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Users {
        record Orders(SpringOutbox outbox) {}

        @Bean
        Orders orders(@Qualifier("orders") SpringOutbox outbox) {
            return new Orders(outbox);
        }
    }
}
