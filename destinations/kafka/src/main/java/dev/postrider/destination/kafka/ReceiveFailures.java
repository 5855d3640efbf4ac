package dev.postrider.destination.kafka;

import dev.postrider.spi.ReceiverException;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** What a failure of the consumer means, told by its type alone. */
final class ReceiveFailures {

    private ReceiveFailures() {}

    /** Whether going on may help. */
    static boolean isPassing(Throwable failure) {
        return failure instanceof RetriableException
                // The partitions have gone to another member, which handles their records again.
                || failure instanceof CommitFailedException
                || failure instanceof RebalanceInProgressException;
    }

    static ReceiverException ended(String receiver, Throwable failure) {
        return new ReceiverException(
                "Receiver " + receiver + " has ended and receives nothing any more: " + reason(failure), failure);
    }

    static ReceiverException notStarted(String receiver, Throwable failure) {
        return new ReceiverException("Receiver " + receiver + " cannot start: " + reason(failure), failure);
    }

    private static String reason(Throwable failure) {
        Throwable cause = KafkaFailures.unwrapped(failure);
        return advice(cause) + KafkaFailures.detail(cause);
    }

    private static String advice(Throwable failure) {
        if (failure instanceof SslAuthenticationException) {
            return "the TLS handshake failed; check the certificate and the trust store";
        } else if (failure instanceof AuthenticationException) {
            return "the broker refused the credentials; check user and password";
        } else if (failure instanceof TopicAuthorizationException) {
            return "this client has no right to read the topic; grant it";
        } else if (failure instanceof GroupAuthorizationException) {
            return "this client has no right to use the consumer group; grant it";
        } else if (failure instanceof FencedInstanceIdException) {
            return "another consumer has taken its group.instance.id; give each process one of its own";
        } else if (failure instanceof InconsistentGroupProtocolException) {
            return "other members of the group assign partitions in another way; use one partition.assignment.strategy";
        } else if (failure instanceof InvalidOffsetException) {
            return "the group has no valid position, and auto.offset.reset=none forbids to choose one; set its offsets";
        } else if (failure instanceof UnknownTopicOrPartitionException) {
            return "a topic does not exist; create it, or allow createTopics";
        } else if (failure instanceof TimeoutException || failure instanceof java.util.concurrent.TimeoutException) {
            return "no answer in time; is the broker reachable?";
        }
        return "the consumer met an error that it cannot go on after; start a new receiver";
    }
}
