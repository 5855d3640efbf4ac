package dev.postrider.spring.boot;

import dev.postrider.internal.Internal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;

/** What a native image has to keep of Postrider: the SQL of the stores, and what core asks Spring without depending on it. */
@Internal
public final class PostriderHints implements RuntimeHintsRegistrar {

    private static final List<String> QUESTIONS =
            List.of("isActualTransactionActive", "isSynchronizationActive", "getResourceMap");

    /** Made by Spring. */
    public PostriderHints() {}

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("dev/postrider/store/*/*.sql");
        QUESTIONS.forEach(question -> invoke(hints, TransactionSynchronizationManager.class, question));
        invoke(hints, ConnectionHolder.class, "getConnection");
    }

    private static void invoke(RuntimeHints hints, Class<?> type, String method) {
        hints.reflection().registerMethod(ReflectionUtils.findMethod(type, method), ExecutableMode.INVOKE);
    }
}
