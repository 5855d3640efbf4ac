package dev.postrider.spring.boot.test;

import dev.postrider.spi.Destination;
import dev.postrider.spring.boot.PostriderAutoConfiguration;
import java.time.Clock;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** An outbox in memory, in the place of the one that the starter would open; the relay is the test's. */
@AutoConfiguration(
        before = PostriderAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
public class PostriderTestAutoConfiguration {

    private static final int LANES = 4;

    @Bean
    TransactionalMemoryStore outboxStore() {
        return new TransactionalMemoryStore(LANES, Clock.systemUTC());
    }

    @Bean
    AssertablePostrider assertablePostrider(TransactionalMemoryStore store, ObjectProvider<Destination> destinations) {
        return new AssertablePostrider(store, destinations.orderedStream().toList());
    }

    /** For slices without a database, which have no transactions either. */
    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    @ConditionalOnMissingBean(DataSource.class)
    static class WithoutDatabase {

        @Bean
        DataSource postriderDataSource(TransactionalMemoryStore store) {
            return store.dataSource();
        }

        @Bean
        @ConditionalOnMissingBean
        PlatformTransactionManager postriderTransactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }
    }
}
