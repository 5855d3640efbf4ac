package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.bus.CodecRegistry;
import dev.postrider.bus.Subscriber;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.service.database.DatabaseKind;
import dev.postrider.service.database.InboxTables;
import dev.postrider.service.database.OutboxTables;
import dev.postrider.service.database.StoreSettings;
import dev.postrider.spring.EventHandler;
import dev.postrider.spring.EventHandlers;
import dev.postrider.spring.SubscriberFactory;
import dev.postrider.store.jdbc.SchemaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The outbox finds its tables when a migration of the application makes them at the same start. */
class MigrationsTest {

    private static final String MIGRATION = "V1__outbox.sql";

    @TempDir
    Path migrations;

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Shop.class)
            .withPropertyValues("spring.datasource.generate-unique-name=true", "postrider.destinations.out.type=log");

    @BeforeEach
    void writeMigration() throws IOException {
        String sql = outboxSql() + "\n" + InboxTables.sql(DatabaseKind.H2, Optional.empty(), Optional.empty());
        Files.writeString(migrations.resolve(MIGRATION), sql);
        Files.writeString(migrations.resolve("liquibase.sql"), "--liquibase formatted sql\n--changeset shop:1\n" + sql);
    }

    /** What {@code schema print} prints; with {@code --inbox} it prints what is added to it here. */
    private static String outboxSql() {
        return OutboxTables.sql(DatabaseKind.H2, new StoreSettings());
    }

    @Test
    void waitsForFlyway() {
        application
                .withPropertyValues("spring.flyway.enabled=true", "spring.flyway.locations=filesystem:" + migrations)
                .run(MigrationsTest::assertTables);
    }

    @Test
    void waitsForLiquibase() {
        application
                .withPropertyValues(
                        "spring.liquibase.enabled=true",
                        "spring.liquibase.change-log=file:" + migrations.resolve("liquibase.sql"))
                .run(MigrationsTest::assertTables);
    }

    @Test
    void waitsForScriptsOfBoot() {
        application
                .withPropertyValues("spring.sql.init.schema-locations=file:" + migrations.resolve(MIGRATION))
                .run(MigrationsTest::assertTables);
    }

    private static void assertTables(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed();
        assertThat(context.getBean(Outbox.class).stats().undelivered()).isZero();
        assertThat(context.getBean(EventHandlers.class).isRunning()).isTrue();
    }

    @Test
    void failsTheStartWithAHandlerAndNoInbox() throws IOException {
        Files.writeString(migrations.resolve(MIGRATION), outboxSql());
        ApplicationContextRunner migrated = application.withPropertyValues(
                "spring.sql.init.schema-locations=file:" + migrations.resolve(MIGRATION));
        migrated.run(context -> {
            Throwable failure = context.getStartupFailure();
            assertThat(failure).rootCause().isInstanceOf(SchemaException.class);
            FailureAnalysis analysis = new PostriderFailureAnalyzer().analyze(failure);
            assertThat(analysis.getDescription()).contains("Inbox inbox has no tables");
            assertThat(analysis.getAction()).contains("postrider schema print --inbox");
        });
        migrated.withPropertyValues("postrider.handlers.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void failsTheStartWithoutThem() {
        application.run(
                context -> assertThat(context.getStartupFailure()).rootCause().isInstanceOf(SchemaException.class));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        SubscriberFactory subscribers(CodecRegistry codecs) {
            return name ->
                    Subscriber.builder(name, MemoryDestination.named("memory").receiver(name), codecs);
        }

        @EventHandler(subscriber = "billing")
        void handle(String event) {}
    }
}
