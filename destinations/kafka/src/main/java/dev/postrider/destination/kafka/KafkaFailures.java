package dev.postrider.destination.kafka;

import dev.postrider.destination.kafka.ContainedPartitioner.PartitionerFailedException;
import dev.postrider.internal.SafeText;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * What a failure of the Kafka clients means, told by its type alone.
 *
 * <p>An outage is what other messages would meet as well; rejected is what no waiting heals; the rest is tried again. A missing
 * topic and a missing right to write to it concern one topic, which somebody can put right: its messages wait.
 */
final class KafkaFailures {

    private KafkaFailures() {}

    static Failed of(Throwable failure, String topic) {
        Throwable cause = unwrapped(failure);
        String text = "Kafka topic " + topic + ": " + advice(cause) + detail(cause);
        if (isReject(cause)) {
            return DeliveryResult.reject(text, cause);
        }
        if (isUnavailable(cause)) {
            return DeliveryResult.unavailable("topic " + topic, text, cause);
        }
        return isOutage(cause) ? DeliveryResult.outage(text, cause) : DeliveryResult.retry(text, cause);
    }

    /** What a person should know when the cluster as a whole does not answer. */
    static String reason(Throwable failure) {
        Throwable cause = unwrapped(failure);
        return advice(cause) + detail(cause);
    }

    /** The failure itself, without what futures and waiting for a topic wrap around it. */
    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof TimeoutException && cause.getCause() instanceof ApiException reason ? reason : cause;
    }

    /** Whether others of the same topic may be sent without it. */
    static boolean concernsOneRecord(Throwable failure) {
        Throwable cause = unwrapped(failure);
        return cause instanceof PartitionerFailedException
                || (isReject(cause) && !(cause instanceof InvalidTopicException));
    }

    /** Whether records of other topics may be sent without those of its topic. */
    static boolean concernsOneTopic(Throwable failure) {
        Throwable cause = unwrapped(failure);
        return cause instanceof InvalidTopicException
                || cause instanceof TopicAuthorizationException
                || isUnknownTopic(cause);
    }

    static boolean isUnknownTopic(Throwable failure) {
        return unwrapped(failure) instanceof UnknownTopicOrPartitionException;
    }

    /** After these a producer never recovers by itself; it says so with an exception of the most general type. */
    static boolean isFatal(Throwable failure) {
        return failure.getClass() == KafkaException.class || failure instanceof IllegalStateException;
    }

    private static boolean isReject(Throwable failure) {
        return failure instanceof RecordTooLargeException
                || failure instanceof InvalidTopicException
                || failure instanceof SerializationException
                || failure instanceof InvalidRecordException;
    }

    /** Missing, forbidden, or not to be created in the way that was wanted. */
    private static boolean isUnavailable(Throwable failure) {
        return failure instanceof UnknownTopicOrPartitionException
                || failure instanceof TopicAuthorizationException
                || failure instanceof InvalidReplicationFactorException
                || failure instanceof InvalidPartitionsException
                || failure instanceof PolicyViolationException;
    }

    private static boolean isOutage(Throwable failure) {
        if (failure instanceof CorruptRecordException) {
            return false;
        }
        return failure instanceof RetriableException
                || failure instanceof AuthenticationException
                || failure instanceof AuthorizationException
                || failure instanceof UnsupportedVersionException
                // The clock of this machine, not the message.
                || failure instanceof InvalidTimestampException
                // The broker has lost track of the producer.
                || failure instanceof OutOfOrderSequenceException
                || failure instanceof UnknownProducerIdException
                || failure instanceof InvalidProducerEpochException
                || failure instanceof InterruptException
                // A thread of the destination's own, which is closed.
                || failure instanceof RejectedExecutionException
                || isFatal(failure);
    }

    private static String advice(Throwable failure) {
        if (failure instanceof RecordTooLargeException) {
            return "the record is too large for max.request.size of the producer or max.message.bytes of the topic";
        } else if (failure instanceof PartitionerFailedException) {
            return "the partitioner found no partition for the record; correct partitioner.class";
        } else if (failure instanceof UnknownTopicOrPartitionException) {
            return "it does not exist; create it, or allow createTopics";
        } else if (failure instanceof TopicAuthorizationException) {
            return "this client has no right to write to it; grant it";
        } else if (failure instanceof SslAuthenticationException) {
            return "the TLS handshake failed; check the certificate and the trust store";
        } else if (failure instanceof AuthenticationException) {
            return "the broker refused the credentials; check user and password";
        } else if (failure instanceof AuthorizationException) {
            return "this client lacks a right on the cluster; grant it";
        } else if (failure instanceof NotEnoughReplicasException
                || failure instanceof NotEnoughReplicasAfterAppendException) {
            return "too few replicas are in sync for min.insync.replicas; bring brokers back";
        } else if (failure instanceof InvalidTimestampException) {
            return "the broker refuses the time of this machine's clock; correct the clock";
        } else if (failure instanceof TimeoutException) {
            return "no acknowledgement in time; is the broker reachable, and does the partition have a leader?";
        }
        return "the broker did not take the record";
    }

    static String detail(Throwable failure) {
        // A failure to make a client has the most general type, and a text that says nothing.
        boolean isGeneral = failure.getClass() == KafkaException.class && failure.getCause() != null;
        return " (" + text(failure) + (isGeneral ? ", because of " + root(failure) : "") + ")";
    }

    /** What lies at the bottom of a failure: what is above it says in general words that something failed. */
    static String root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return SafeText.of(text(root));
    }

    private static String text(Throwable failure) {
        return failure.getClass().getSimpleName() + ": " + failure.getMessage();
    }
}
