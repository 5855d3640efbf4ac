package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.spi.KeyRun;
import dev.postrider.spi.SendContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is blamed, in the interleavings that a real producer shows only now and then. */
class LaneTransactionTest {

    private static final RecordTooLargeException TOO_LARGE = new RecordTooLargeException("too large");

    private final MockProducer<byte[], byte[]> producer = new MockProducer<>(
            false, new RoundRobinPartitioner(), new ByteArraySerializer(), new ByteArraySerializer());
    private final OutgoingRecord first = sending("orders");
    private final OutgoingRecord second = sending("orders");
    private final OutgoingRecord third = sending("orders");
    private final OutgoingRecord elsewhere = sending("payments");

    @BeforeEach
    void initialise() {
        producer.initTransactions();
    }

    @Test
    void blamesNobodyWhenAllOfATransactionGotTheErrorOfOne() {
        LaneTransaction.Blame blame = blame(TOO_LARGE, 3, first, second, third);

        assertThat(blame.failed()).isEmpty();
        assertThat(blame.parts()).containsExactly(List.of(first), List.of(second, third));
    }

    @Test
    void blamesNobodyBeforeAnyErrorWasReported() {
        LaneTransaction.Blame blame = blame(TOO_LARGE, 0, first, second);

        assertThat(blame.failed()).isEmpty();
        assertThat(blame.parts()).containsExactly(List.of(first), List.of(second));
    }

    @Test
    void blamesTheOneThatWasAlone() {
        LaneTransaction.Blame blame = blame(TOO_LARGE, 0, first);

        assertThat(blame.failed()).isEqualTo(Map.of(first, TOO_LARGE));
        assertThat(blame.parts()).isEmpty();
    }

    @Test
    void looksForTheTopicToBlameFirst() {
        TopicAuthorizationException unauthorised = new TopicAuthorizationException("orders");
        LaneTransaction.Blame ofBoth = blame(unauthorised, 1, first, elsewhere, second);

        assertThat(ofBoth.parts()).containsExactly(List.of(first, second), List.of(elsewhere));
        assertThat(blame(unauthorised, 1, first, second).failed()).containsOnlyKeys(first, second);
    }

    @Test
    void endsAllByAFailureOfTheBroker() {
        LaneTransaction.Blame blame = blame(new TimeoutException("no answer"), 0, first, elsewhere);

        assertThat(blame.failed()).containsOnlyKeys(first, elsewhere);
        assertThat(blame.parts()).isEmpty();
    }

    /** The client has reported the error to {@code reported} of the records, on its own thread, when committing fails because of it. */
    private LaneTransaction.Blame blame(RuntimeException error, int reported, OutgoingRecord... batch) {
        LaneTransaction transaction = new LaneTransaction(List.of(batch));
        producer.commitTransactionException = new KafkaException("in an error state", error);
        KafkaException thrown = catchThrowableOfType(KafkaException.class, () -> transaction.commit(producer));
        CompletableFuture.runAsync(() -> Stream.generate(() -> producer.errorNext(error))
                        .limit(reported)
                        .forEach(isReported -> assertThat(isReported).isTrue()))
                .join();
        producer.commitTransactionException = null;
        producer.abortTransaction();
        return transaction.blame(thrown);
    }

    private static OutgoingRecord sending(String topic) {
        return new OutgoingRecord(
                new ProducerRecord<>(topic, new byte[1]),
                true,
                SendContext.of(new KeyRun(Unowned.LANE)),
                Duration.ofMinutes(1));
    }
}
