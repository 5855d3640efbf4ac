package dev.postrider.spring.boot;

import dev.postrider.internal.Internal;
import dev.postrider.message.PostriderException;
import dev.postrider.service.FileWords;
import dev.postrider.service.config.ConfigException;
import dev.postrider.store.jdbc.SchemaException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says why an application could not start and what to do, instead of a stack trace. */
@Internal
public final class PostriderFailureAnalyzer extends AbstractFailureAnalyzer<PostriderException> {

    /** Made by Spring. */
    public PostriderFailureAnalyzer() {}

    @Override
    protected FailureAnalysis analyze(Throwable root, PostriderException cause) {
        return new FailureAnalysis(FileWords.inKeys(String.valueOf(cause.getMessage())), action(cause), cause);
    }

    private static String action(PostriderException cause) {
        if (cause instanceof ConfigException) {
            return "Correct the property.";
        }
        return cause instanceof SchemaException
                ? "Put the SQL that 'postrider schema print' shows into your migrations, and for an inbox what 'postrider"
                        + " schema print --inbox' shows, or set postrider.schema-mode to create."
                : "See the cause above; Postrider needs its database when the application starts.";
    }
}
