package dev.postrider.spring;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** Loaded only where JPA is present. */
final class JpaPersistenceContexts implements PersistenceContexts {

    private static final boolean HAS_HIBERNATE = ClassUtils.isPresent(
            "org.hibernate.engine.spi.SharedSessionContractImplementor", JpaPersistenceContexts.class.getClassLoader());

    private final CurrentTransaction transaction;

    JpaPersistenceContexts(CurrentTransaction transaction) {
        this.transaction = transaction;
    }

    @Override
    public void flush() {
        TransactionSynchronizationManager.getResourceMap().forEach((key, resource) -> {
            if (key instanceof EntityManagerFactory factory && resource instanceof EntityManagerHolder holder) {
                flush(factory, holder.getEntityManager());
            }
        });
    }

    private void flush(EntityManagerFactory factory, EntityManager context) {
        if (isOnSameDataSource(factory) && context.isJoinedToTransaction() && mayFlush(context)) {
            try {
                context.flush();
            } catch (RuntimeException failure) {
                throw translated(failure, factory);
            }
        }
    }

    /** One that does not tell its data source is taken for ours: a flush too many does no harm. */
    private boolean isOnSameDataSource(EntityManagerFactory factory) {
        return !(factory instanceof EntityManagerFactoryInfo info)
                || info.getDataSource() == null
                || transaction.isOn(info.getDataSource());
    }

    private static boolean mayFlush(EntityManager context) {
        return !HAS_HIBERNATE || HibernateSession.mayFlush(context);
    }

    /** As the caller would get it from a repository. */
    private static RuntimeException translated(RuntimeException failure, EntityManagerFactory factory) {
        return factory instanceof EntityManagerFactoryInfo info && info.getJpaDialect() != null
                ? DataAccessUtils.translateIfNecessary(failure, info.getJpaDialect())
                : failure;
    }
}
