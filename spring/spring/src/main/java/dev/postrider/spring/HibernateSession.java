package dev.postrider.spring;

import jakarta.persistence.EntityManager;
import java.util.Arrays;
import org.hibernate.FlushMode;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.Status;

/** What only Hibernate tells about a persistence context. Loaded only where it is present. */
final class HibernateSession {

    private HibernateSession() {}

    /**
     * Whether the context is to be flushed: not while it is being flushed, in a callback of an entity for example, cascades, or inserts
     * an entity whose id the database makes.
     *
     * @throws IllegalStateException if the user has said that nobody but him flushes it
     */
    static boolean mayFlush(EntityManager context) {
        if (!(context instanceof SharedSessionContractImplementor session)) {
            return true;
        }
        if (session.getPersistenceContext().isFlushing()
                || session.getPersistenceContext().getCascadeLevel() > 0
                || isInserting(session)) {
            return false;
        }
        if (session.getHibernateFlushMode() == FlushMode.MANUAL) {
            throw new IllegalStateException(
                    "The flush mode of the session is MANUAL, so the outbox must not flush it before it writes a message, and"
                            + " the order of the key may be wrong. Set the flush mode to AUTO or COMMIT; or set"
                            + " postrider.jpa.flush to false (without Spring Boot: build the outbox with flushJpa(false)) and"
                            + " flush the session yourself before each message");
        }
        return true;
    }

    /** Such an entity is inserted at once, and has no id yet when its {@code @PostPersist} runs: a flush would fail on it. */
    private static boolean isInserting(SharedSessionContractImplementor session) {
        return Arrays.stream(session.getPersistenceContext().reentrantSafeEntityEntries())
                .anyMatch(entry -> entry.getValue().getStatus() == Status.SAVING);
    }
}
