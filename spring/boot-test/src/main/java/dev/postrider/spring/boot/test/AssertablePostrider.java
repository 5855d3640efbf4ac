package dev.postrider.spring.boot.test;

import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.DestinationRouter;
import dev.postrider.relay.DrainReport;
import dev.postrider.relay.Relay;
import dev.postrider.spi.Destination;
import dev.postrider.testkit.RecordingDestination;
import java.util.List;
import org.assertj.core.api.AssertProvider;

/**
 * The outbox of a test: what was written to it, and delivery when the test wants it. A bean of tests with {@link AutoConfigurePostrider}.
 * Thread-safe.
 *
 * <pre>{@code
 * assertThat(postrider).enqueued(OrderPlaced.class).withKey("17");
 * }</pre>
 */
public final class AssertablePostrider implements AssertProvider<PostriderAssert> {

    private final TransactionalMemoryStore store;
    private final List<Destination> destinations;

    AssertablePostrider(TransactionalMemoryStore store, List<Destination> destinations) {
        this.store = store;
        this.destinations = destinations;
    }

    /** The messages that were committed, in order, and those that the current transaction has written so far. */
    public List<OutboxMessage> messages() {
        return store.written();
    }

    /**
     * Delivers what was committed, on this thread: to the destination beans of the application, each message to the first of them, or to
     * nowhere if there is none.
     */
    public DrainReport deliverNow() {
        Destination first = destinations.isEmpty() ? new RecordingDestination("nowhere") : destinations.get(0);
        return Relay.builder(store, DestinationRouter.to(first)).build().drainOnce();
    }

    /** Forgets what {@link #messages} says so far; for tests that share a context. What is undelivered stays. */
    public void forget() {
        store.forget();
    }

    @Override
    public PostriderAssert assertThat() {
        return new PostriderAssert(this);
    }
}
