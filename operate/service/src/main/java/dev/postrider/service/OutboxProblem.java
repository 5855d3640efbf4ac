package dev.postrider.service;

import dev.postrider.internal.Internal;
import dev.postrider.internal.Readable;
import dev.postrider.message.PostriderException;
import dev.postrider.relay.Relay;
import dev.postrider.spi.OutboxStats;
import dev.postrider.spi.OutboxStore;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why an outbox is not being delivered as it should, in words that everybody may read: where the database is and who asks stands in the log
 * only.
 *
 * @param maxOldestAge how old the oldest undelivered message may get
 */
@Internal
public record OutboxProblem(OutboxStore store, Optional<Duration> maxOldestAge) {

    static final String CANNOT_BE_USED = "the database cannot be used; the log says why";

    private static final Logger LOG = LoggerFactory.getLogger(OutboxProblem.class);

    /**
     * Empty when all is well. Asks the database.
     *
     * @param relay that of this process, if it has one
     */
    public Optional<String> find(Optional<Relay> relay) {
        if (relay.filter(Relay::isStalled).isPresent()) {
            return Optional.of("a worker of the relay has hung for longer than its lease; the log says more");
        }
        try {
            return tooOld(store.stats()).or(() -> relay.flatMap(Relay::trouble));
        } catch (PostriderException failure) {
            LOG.atDebug().addKeyValue("outbox", store.name()).setCause(failure).log("Could not read how it stands");
            return Optional.of(CANNOT_BE_USED);
        }
    }

    private Optional<String> tooOld(OutboxStats stats) {
        return maxOldestAge
                .filter(most -> stats.oldestAge().compareTo(most) > 0)
                .map(most -> "the oldest undelivered message is %s old, max-oldest-age is %s"
                        .formatted(Readable.time(stats.oldestAge()), Readable.time(most)));
    }
}
