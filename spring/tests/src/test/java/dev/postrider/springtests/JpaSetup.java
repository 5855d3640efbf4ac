package dev.postrider.springtests;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.support.TransactionTemplate;

/** JPA by Hibernate on a data source, as Spring sets it up. */
final class JpaSetup implements AutoCloseable {

    final LocalContainerEntityManagerFactoryBean factoryBean = new LocalContainerEntityManagerFactoryBean();
    final EntityManagerFactory factory;
    final EntityManager entities;
    final JpaTransactionManager manager;

    JpaSetup(DataSource dataSource) {
        factoryBean.setDataSource(dataSource);
        factoryBean.setPackagesToScan("dev.postrider.springtests");
        factoryBean.setPersistenceUnitName("shop");
        factoryBean.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factoryBean.afterPropertiesSet();
        factory = factoryBean.getObject();
        entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
        manager = new JpaTransactionManager(factory);
        manager.afterPropertiesSet();
    }

    void inTransaction(Consumer<EntityManager> work) {
        new TransactionTemplate(manager).executeWithoutResult(status -> work.accept(entities));
    }

    @Override
    public void close() {
        factoryBean.destroy();
    }
}
