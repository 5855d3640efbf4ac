package dev.postrider.destination.kafka;

import dev.postrider.internal.LogThrottle;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that uses the consumer: fetches, commits what is done with, pauses partitions that have enough, and lets
 * partitions go.
 *
 * <p>It polls all the time, whatever handlers do, so that the group never takes the member for dead. Commits are made now and then
 * and before a partition is let go; a crash between brings back only what was done with since.
 */
final class PollLoop implements Runnable, ConsumerRebalanceListener {

    private static final Logger LOG = LoggerFactory.getLogger(PollLoop.class);
    private final LogThrottle throttle = new LogThrottle(LOG);
    private static final Duration POLL = Duration.ofMillis(100);
    /** While partitions are paused somebody may make room at any time. */
    private static final Duration SHORT_POLL = Duration.ofMillis(10);

    private static final Duration COMMIT_INTERVAL = Duration.ofMillis(100);
    static final Duration LAST_COMMIT = Duration.ofSeconds(5);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<String> topics;
    private final OpenPartitions partitions;
    private final RecordIntake intake;
    private final Duration rebalanceTimeout;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private volatile boolean isClosing;
    private boolean isCommitting;
    private long lastCommit = System.nanoTime();
    private @Nullable KafkaException commitFailure;
    private volatile @Nullable Throwable reasonToEnd;

    PollLoop(
            KafkaConsumer<byte[], byte[]> consumer,
            List<String> topics,
            OpenPartitions partitions,
            RecordIntake intake,
            Duration rebalanceTimeout) {
        this.consumer = consumer;
        this.topics = topics;
        this.partitions = partitions;
        this.intake = intake;
        this.rebalanceTimeout = rebalanceTimeout;
    }

    /** Ends with the loop, exceptionally if nobody asked for it. */
    CompletableFuture<Void> end() {
        return end;
    }

    void close() {
        isClosing = true;
    }

    /** Ends as if the consumer had failed. */
    void fail(Throwable reason) {
        reasonToEnd = reason;
        isClosing = true;
    }

    @Override
    public void run() {
        Throwable failure = null;
        try {
            consumer.subscribe(topics, this);
            while (!isClosing) {
                step();
            }
            failure = reasonToEnd;
        } catch (Throwable fatal) {
            // Also an Error: without this thread the receiver would be silent.
            failure = fatal;
        } finally {
            leave();
            if (failure == null) {
                end.complete(null);
            } else {
                end.completeExceptionally(failure);
            }
        }
    }

    private void step() {
        Set<TopicPartition> paused = regulate();
        try {
            consumer.poll(paused.isEmpty() ? POLL : SHORT_POLL).forEach(intake::take);
            commitNowAndThen();
        } catch (KafkaException failure) {
            if (!ReceiveFailures.isPassing(failure)) {
                throw failure;
            }
            throttle.warn("poll", failure, "Polling {} failed and goes on", topics);
        }
        if (commitFailure != null) {
            throw commitFailure;
        }
    }

    private Set<TopicPartition> regulate() {
        Set<TopicPartition> full = new HashSet<>(intake.full());
        full.retainAll(consumer.assignment());
        Set<TopicPartition> free = new HashSet<>(consumer.paused());
        free.removeAll(full);
        consumer.resume(free);
        consumer.pause(full);
        return full;
    }

    private void commitNowAndThen() {
        long now = System.nanoTime();
        if (isCommitting || now - lastCommit < COMMIT_INTERVAL.toNanos()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> positions = partitions.uncommitted();
        if (!positions.isEmpty()) {
            isCommitting = true;
            lastCommit = now;
            consumer.commitAsync(positions, this::committed);
        }
    }

    private void committed(Map<TopicPartition, OffsetAndMetadata> positions, @Nullable Exception failure) {
        isCommitting = false;
        if (failure == null) {
            partitions.committed(positions);
        } else if (ReceiveFailures.isPassing(failure)) {
            LOG.debug("A commit failed and is repeated", failure);
        } else {
            commitFailure = failure instanceof KafkaException known ? known : new KafkaException(failure);
        }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
        partitions.open(assigned);
    }

    /** Waits for handlers, so that the next owner of a key does not begin while this one is at it. */
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        commit(intake.release(revoked, isClosing ? Duration.ZERO : rebalanceTimeout));
    }

    /** The partitions are somebody else's already: nothing can be committed. */
    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
        if (!lost.isEmpty()) {
            LOG.warn("The group took {} away without asking; what is being handled is handled again", lost);
        }
        intake.release(lost, Duration.ZERO);
    }

    private void commit(Map<TopicPartition, OffsetAndMetadata> positions) {
        if (positions.isEmpty()) {
            return;
        }
        try {
            consumer.commitSync(positions, LAST_COMMIT);
        } catch (KafkaException failure) {
            throttle.warn(
                    "commit",
                    failure,
                    "What was handled of {} cannot be committed and arrives again",
                    positions.keySet());
        }
    }

    /** By the method that clients before 4.1 have too: Spring Boot 3.5 brings 3.9. */
    @SuppressWarnings("deprecation")
    private void leave() {
        isClosing = true;
        try {
            // Lets go of all partitions, and so commits for the last time.
            consumer.close(LAST_COMMIT.multipliedBy(2));
        } catch (RuntimeException failure) {
            LOG.debug("Closing the consumer failed", failure);
        }
        intake.release(partitions.all(), Duration.ZERO);
    }
}
