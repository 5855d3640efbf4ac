package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.resource;

import dev.postrider.bus.EventContext;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spring.EventHandler;
import dev.postrider.spring.OutboxEvent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A native image keeps what is looked up by name. */
class PostriderHintsTest {

    @OutboxEvent(topic = "orders", key = "#{id}")
    record Published(String id) {}

    record Received(String id) {}

    static class Handlers {
        @EventHandler(subscriber = "billing")
        void on(Received event, EventContext context) {}

        @EventHandler(subscriber = "audit")
        void onAny(OutboxMessage message) {}
    }

    private final RuntimeHints hints = new RuntimeHints();

    @BeforeEach
    void register() {
        SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
                .load(RuntimeHintsRegistrar.class)
                .stream()
                .filter(PostriderHints.class::isInstance)
                .forEach(registrar -> registrar.registerHints(hints, getClass().getClassLoader()));
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, Published.class, Handlers.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres", "mysql", "h2"})
    void keepsTheSqlOfTheStores(String store) {
        String script = "dev/postrider/store/" + store + "/V001__create_outbox.sql";
        assertThat(getClass().getClassLoader().getResource(script)).isNotNull();
        assertThat(resource().forResource(script)).accepts(hints);
        assertThat(resource().forResource("application.sql")).rejects(hints);
    }

    @Test
    void keepsWhatCoreAsksSpring() throws Exception {
        assertThat(reflection()
                        .onMethod(TransactionSynchronizationManager.class, "isActualTransactionActive")
                        .invoke())
                .accepts(hints);
        assertThat(reflection()
                        .onMethod(TransactionSynchronizationManager.class, "isSynchronizationActive")
                        .invoke())
                .accepts(hints);
        assertThat(reflection()
                        .onMethod(TransactionSynchronizationManager.class, "getResourceMap")
                        .invoke())
                .accepts(hints);
        assertThat(reflection()
                        .onMethod(ConnectionHolder.class, "getConnection")
                        .invoke())
                .accepts(hints);
    }

    @Test
    void keepsHandlersAndTheirEvents() {
        assertThat(reflection().onMethod(Handlers.class, "on").invoke()).accepts(hints);
        assertThat(reflection().onMethod(Handlers.class, "onAny").invoke()).accepts(hints);
        assertThat(reflection().onMethod(Received.class, "id").invoke()).accepts(hints);
        assertThat(reflection().onType(OutboxMessage.class)).rejects(hints);
    }

    @Test
    void keepsWhatExpressionsAndCodecsReadOfAPublishedEvent() {
        assertThat(reflection().onMethod(Published.class, "id").invoke()).accepts(hints);
    }
}
