package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KafkaFailuresTest {

    static Stream<Exception> outages() {
        return Stream.of(
                new TimeoutException("x"),
                new NetworkException("x"),
                new BufferExhaustedException("x"),
                new NotEnoughReplicasException("x"),
                new NotEnoughReplicasAfterAppendException("x"),
                new LeaderNotAvailableException("x"),
                new NotLeaderOrFollowerException("x"),
                new KafkaStorageException("x"),
                new SaslAuthenticationException("x"),
                new SslAuthenticationException("x"),
                new ClusterAuthorizationException("x"),
                new UnsupportedVersionException("x"),
                new OutOfOrderSequenceException("x"),
                new KafkaException("Cannot perform send, a previous request has failed"),
                new IllegalStateException("closed"));
    }

    static Stream<Exception> missing() {
        return Stream.of(
                new UnknownTopicOrPartitionException("x"),
                new TimeoutException("not in metadata", new UnknownTopicOrPartitionException("x")),
                new TopicAuthorizationException("x"),
                new PolicyViolationException("x"));
    }

    static Stream<Exception> retries() {
        return Stream.of(
                new CorruptRecordException("x"),
                new RecordBatchTooLargeException("x"),
                new UnknownServerException("x"));
    }

    static Stream<Exception> rejects() {
        return Stream.of(
                new RecordTooLargeException("x"),
                new InvalidTopicException("x"),
                new SerializationException("x"),
                new InvalidRecordException("x"));
    }

    @ParameterizedTest
    @MethodSource("outages")
    void takesWhatOthersWouldMeetTooAsAnOutage(Exception failure) {
        assertThat(KafkaFailures.of(failure, "orders")).isInstanceOf(DeliveryResult.Outage.class);
    }

    @ParameterizedTest
    @MethodSource("missing")
    void namesTheTopicThatIsMissingOrForbidden(Exception failure) {
        assertThat(KafkaFailures.of(failure, "orders"))
                .isInstanceOfSatisfying(
                        DeliveryResult.Unavailable.class,
                        place -> assertThat(place.place()).isEqualTo("topic orders"));
    }

    @ParameterizedTest
    @MethodSource("retries")
    void triesAgainWhatConcernsOneRecord(Exception failure) {
        assertThat(KafkaFailures.of(failure, "orders")).isInstanceOf(DeliveryResult.Retry.class);
    }

    @ParameterizedTest
    @MethodSource("rejects")
    void rejectsWhatNoWaitingHeals(Exception failure) {
        assertThat(KafkaFailures.of(failure, "orders")).isInstanceOf(DeliveryResult.Reject.class);
    }

    @Test
    void saysWhatHappenedToWhatAndWhatToDo() {
        Failed failed =
                KafkaFailures.of(new CompletionException(new NotEnoughReplicasException("2 of 3 needed")), "orders");

        assertThat(failed.reason())
                .contains("orders")
                .contains("min.insync.replicas")
                .contains("bring brokers back")
                .contains("NotEnoughReplicasException: 2 of 3 needed");
    }
}
