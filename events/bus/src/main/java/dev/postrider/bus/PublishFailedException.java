package dev.postrider.bus;

import dev.postrider.message.MessageId;
import dev.postrider.message.PostriderException;
import org.jspecify.annotations.Nullable;

/** An event could not be sent to its destination. Whether it arrived is certain only if the text says so. */
public final class PublishFailedException extends PostriderException {

    private static final long serialVersionUID = 1L;

    private final transient MessageId id;
    private final boolean isWorthRetrying;

    PublishFailedException(MessageId id, String problem, boolean isWorthRetrying, @Nullable Throwable cause) {
        super("Event " + id + " was not published: " + problem, cause);
        this.id = id;
        this.isWorthRetrying = isWorthRetrying;
    }

    public MessageId id() {
        return id;
    }

    /** Whether the same event may succeed later: not if the destination rejected it. */
    public boolean isWorthRetrying() {
        return isWorthRetrying;
    }
}
