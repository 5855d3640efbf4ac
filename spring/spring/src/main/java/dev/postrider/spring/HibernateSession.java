package dev.postrider.spring;

import jakarta.persistence.EntityManager;
import org.hibernate.FlushMode;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/** What only Hibernate tells about a persistence context. Loaded only where it is present. */
final class HibernateSession {

    private HibernateSession() {}

    /**
     * Whether the context is to be flushed: not while it is being flushed, in a callback of an entity for example, or cascades.
     *
     * @throws IllegalStateException if the user has said that nobody but him flushes it
     */
    static boolean mayFlush(EntityManager context) {
        if (!(context instanceof SharedSessionContractImplementor session)) {
            return true;
        }
        if (session.getPersistenceContext().isFlushing()
                || session.getPersistenceContext().getCascadeLevel() > 0) {
            return false;
        }
        if (session.getHibernateFlushMode() == FlushMode.MANUAL) {
            throw new IllegalStateException(
                    "The flush mode of the session is MANUAL, so the outbox must not flush it before it writes a message, and"
                            + " the order of the key may be wrong. Set the flush mode to AUTO or COMMIT; or build the outbox with"
                            + " flushJpa(false) and flush the session yourself before each message");
        }
        return true;
    }
}
