package dev.postrider.examples.springjdbc;

import dev.postrider.Outbox;
import dev.postrider.destination.memory.MemoryDestination;
import dev.postrider.relay.Relay;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spring.EnablePostrider;
import dev.postrider.spring.SpringOutbox;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** Everything wired by hand. Spring closes relay and destination in the right order: what depends on a bean goes first. */
@Configuration(proxyBeanMethods = false)
@EnableTransactionManagement(proxyTargetClass = true)
@EnablePostrider
public class Beans {

    @Bean
    DataSource dataSource() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:spring-jdbc;DB_CLOSE_DELAY=-1");
        return dataSource;
    }

    @Bean
    JdbcTemplate jdbcTemplate(DataSource dataSource) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        jdbc.execute("CREATE TABLE orders (id VARCHAR(20) PRIMARY KEY, total INT)");
        return jdbc;
    }

    @Bean
    PlatformTransactionManager transactionManager(DataSource dataSource) {
        return new JdbcTransactionManager(dataSource);
    }

    @Bean
    OutboxStore outboxStore(DataSource dataSource) {
        return H2OutboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build();
    }

    @Bean
    SpringOutbox outbox(DataSource dataSource, OutboxStore store) {
        return SpringOutbox.builder(Outbox.withDefaults(store), dataSource).build();
    }

    @Bean
    OrderService orderService(JdbcTemplate jdbc, SpringOutbox outbox) {
        return new OrderService(jdbc, outbox);
    }

    @Bean(destroyMethod = "close")
    MemoryDestination destination() {
        return MemoryDestination.named("memory");
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    Relay relay(OutboxStore store, MemoryDestination destination) {
        return Relay.withDefaults(store, destination);
    }
}
