package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.Inbox;
import dev.postrider.Outbox;
import dev.postrider.store.h2.H2InboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
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
        try (HikariDataSource any = new HikariDataSource()) {
            String sql = H2OutboxStore.builder(any).schemaSql()
                    + "\n"
                    + H2InboxStore.builder(any).schemaSql();
            Files.writeString(migrations.resolve(MIGRATION), sql);
            Files.writeString(
                    migrations.resolve("liquibase.sql"), "--liquibase formatted sql\n--changeset shop:1\n" + sql);
        }
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
        assertThat(context.getBean(Inbox.class)).isNotNull();
    }

    @Test
    void failsTheStartWithoutThem() {
        application.run(
                context -> assertThat(context.getStartupFailure()).rootCause().isInstanceOf(SchemaException.class));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {}
}
