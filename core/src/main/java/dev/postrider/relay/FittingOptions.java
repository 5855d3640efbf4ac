package dev.postrider.relay;

import static dev.postrider.internal.Readable.time;

import dev.postrider.spi.Destination;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.stream.Collectors;

/** Options that are right one by one must also fit each other, the store and the destinations. */
record FittingOptions(RelayOptions options, OutboxStore store, DestinationRouter router) {

    /** What every store has room for beside a key in one index. */
    private static final int MAX_NAME_LENGTH = 200;

    /** Fails with what does not fit, and what to change. */
    void require() {
        requireFittingTimes();
        requireFittingStore();
        requireDistinctDestinations();
        router.destinations().forEach(this::requireFitting);
    }

    private void requireFittingTimes() {
        Duration deliveryTimeout = options.deliveryTimeout();
        require(
                deliveryTimeout.multipliedBy(2).compareTo(options.lease()) <= 0,
                "deliveryTimeout is %s, but may be at most half of the lease, which is %s"
                        .formatted(time(deliveryTimeout), time(options.lease())));
        require(
                options.minPollInterval().compareTo(options.maxPollInterval()) <= 0,
                "minPollInterval is %s, but maxPollInterval only %s"
                        .formatted(time(options.minPollInterval()), time(options.maxPollInterval())));
    }

    private void requireFittingStore() {
        Ordering ordering = options.ordering();
        require(
                store.orderings().contains(ordering),
                "%s cannot keep Ordering.%s, only %s. %s"
                        .formatted(
                                store.name(),
                                ordering,
                                store.orderings().stream()
                                        .map(kept -> "Ordering." + kept)
                                        .collect(Collectors.joining(", ")),
                                store.orderingAdvice()));
        require(
                ordering != Ordering.GLOBAL || store.laneCount() == 1,
                "Ordering.GLOBAL needs an outbox with one lane, but %s has %d; create one with lanes(1)"
                        .formatted(store.name(), store.laneCount()));
        require(
                options.maxAttempts() <= store.maxSupportedAttempts(),
                "maxAttempts is %d, but %s counts a message as given up after %d; lower the one, or raise the other"
                        .formatted(options.maxAttempts(), store.name(), store.maxSupportedAttempts()));
    }

    private void requireDistinctDestinations() {
        require(!router.destinations().isEmpty(), "The router lists no destination");
        long names =
                router.destinations().stream().map(Destination::name).distinct().count();
        require(names == router.destinations().size(), "Two destinations have the same name");
    }

    private void requireFitting(Destination destination) {
        int length = destination.name().length();
        require(
                length >= 1 && length <= MAX_NAME_LENGTH,
                "A destination's name has 1 to %d characters, not %d".formatted(MAX_NAME_LENGTH, length));
        require(
                destination.deliveryTimeout().compareTo(options.deliveryTimeout()) <= 0,
                "Destination %s may take %s to report a send, but deliveryTimeout is %s; shorten the one or lengthen the other (and the lease)"
                        .formatted(
                                destination.name(),
                                time(destination.deliveryTimeout()),
                                time(options.deliveryTimeout())));
    }

    private static void require(boolean condition, String problem) {
        if (!condition) {
            throw new IllegalArgumentException(problem);
        }
    }
}
