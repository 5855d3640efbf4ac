package dev.postrider.spring.boot;

import dev.postrider.internal.Internal;
import dev.postrider.spi.InboxStore;
import dev.postrider.spi.OutboxStore;
import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/** Lets every store wait until Flyway, Liquibase or Boot's scripts have prepared the database. */
@Internal
public final class StoreInitializationDetector extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

    /** Made by Spring. */
    public StoreInitializationDetector() {}

    @Override
    protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
        return Set.of(OutboxStore.class, InboxStore.class);
    }
}
