package dev.postrider.spring;

import org.springframework.util.ClassUtils;

/** The persistence contexts of JPA that take part in the current transaction. Applications without JPA have none. Thread-safe. */
@FunctionalInterface
interface PersistenceContexts {

    /** Sends what they have not written yet to the database, unless they are doing so already. */
    void flush();

    /** Those on the data source of this transaction. */
    static PersistenceContexts on(CurrentTransaction transaction) {
        ClassLoader loader = PersistenceContexts.class.getClassLoader();
        boolean hasJpa = ClassUtils.isPresent("jakarta.persistence.EntityManager", loader)
                && ClassUtils.isPresent("org.springframework.orm.jpa.EntityManagerHolder", loader);
        return hasJpa ? new JpaPersistenceContexts(transaction) : leftAlone();
    }

    /** For users who flush themselves. */
    static PersistenceContexts leftAlone() {
        return () -> {};
    }
}
