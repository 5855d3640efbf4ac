package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;
import dev.postrider.spi.FrameworkTransactions;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;

/**
 * The transactions of Spring, where its classes are present. By a method handle, so that nothing here depends on Spring, and users of it
 * need to configure nothing.
 */
@Internal
public final class SpringTransactions implements FrameworkTransactions {

    private static final Optional<MethodHandle> IS_ACTIVE = find();

    /** For {@link java.util.ServiceLoader}. */
    public SpringTransactions() {}

    private static Optional<MethodHandle> find() {
        try {
            Class<?> manager = Class.forName(
                    "org.springframework.transaction.support.TransactionSynchronizationManager",
                    true,
                    SpringTransactions.class.getClassLoader());
            return Optional.of(MethodHandles.publicLookup()
                    .findStatic(manager, "isActualTransactionActive", MethodType.methodType(boolean.class)));
        } catch (ReflectiveOperationException | LinkageError absent) {
            return Optional.empty();
        }
    }

    @Override
    public String framework() {
        return "Spring";
    }

    @Override
    public boolean isPresent() {
        return IS_ACTIVE.isPresent();
    }

    @Override
    public boolean isActive() {
        return IS_ACTIVE.isPresent() && ask(IS_ACTIVE.get());
    }

    private static boolean ask(MethodHandle isActive) {
        try {
            return (boolean) isActive.invokeExact();
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable impossible) {
            throw new IllegalStateException("isActualTransactionActive declares no checked exception", impossible);
        }
    }

    @Override
    public String connectionCall() {
        return "DataSourceUtils.getConnection(dataSource)";
    }
}
