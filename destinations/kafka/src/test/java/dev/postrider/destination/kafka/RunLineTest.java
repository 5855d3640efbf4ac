package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.destination.kafka.RunLine.Turn;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.SendContext;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which records of a run may be on their way together. */
class RunLineTest {

    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);

    private final AtomicLong clock = new AtomicLong();
    private final SharedProducer producer = producer();
    private final KeyRun run = new KeyRun(Unowned.LANE);
    private final RunLine line = new RunLine();
    private final OutgoingRecord first = sending();
    private final OutgoingRecord second = sending();

    @BeforeEach
    void bothWait() {
        line.add(first);
        line.add(second);
        assertThat(line.startServing()).isTrue();
    }

    /** A broker that has no record of a producer takes any as its first, also the one behind a lost one. */
    @Test
    void theFirstRecordOfAProducerToAPartitionGoesAlone() {
        assertThat(line.begin(path(producer))).isEqualTo(Turn.NOW);
        assertThat(line.begin(path(producer))).isEqualTo(Turn.LATER);

        producer.acknowledged(PARTITION);
        line.ended(first);

        assertThat(line.begin(path(producer))).isEqualTo(Turn.NOW);
    }

    /** Another run's record was acknowledged meanwhile: it says nothing about one that was given before. */
    @Test
    void oneThatWentAloneIsNotFollowedWhenOthersAreAcknowledged() {
        assertThat(line.begin(path(producer))).isEqualTo(Turn.NOW);
        producer.acknowledged(PARTITION);

        assertThat(line.begin(path(producer))).isEqualTo(Turn.LATER);
    }

    @Test
    void theNextFollowsAtOnceWhereTheBrokerKnowsTheProducer() {
        producer.acknowledged(PARTITION);

        assertThat(line.begin(path(producer))).isEqualTo(Turn.NOW);
        assertThat(line.begin(path(producer))).isEqualTo(Turn.NOW);
    }

    /** The broker may have forgotten the producer meanwhile, and would take any record as its first. */
    @Test
    void theFirstRecordGoesAloneAgainAfterAnHourWithoutOne() {
        producer.acknowledged(PARTITION);
        pass(Duration.ofMinutes(59));
        assertThat(producer.isKnownAt(PARTITION)).isTrue();
        pass(Duration.ofMinutes(59));
        assertThat(producer.isKnownAt(PARTITION)).as("used 59 minutes ago").isTrue();

        pass(Duration.ofMinutes(60));
        assertThat(line.begin(path(producer))).isEqualTo(Turn.NOW);
        assertThat(line.begin(path(producer))).isEqualTo(Turn.LATER);

        producer.acknowledged(PARTITION);
        line.ended(first);
        assertThat(line.begin(path(producer))).isEqualTo(Turn.NOW);
        assertThat(producer.isKnownAt(PARTITION)).isTrue();
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    @Test
    void theNextWaitsIfItGoesToAnotherPartitionOrByAnotherProducer() {
        SharedProducer next = producer();
        next.acknowledged(PARTITION);
        producer.acknowledged(PARTITION);
        assertThat(line.begin(path(producer))).isEqualTo(Turn.NOW);

        assertThat(line.begin(path(next))).isEqualTo(Turn.LATER);
        assertThat(line.begin(new Path(producer, new TopicPartition("orders", 1), true)))
                .isEqualTo(Turn.LATER);
        assertThat(line.begin(new Path(producer, null, false))).isEqualTo(Turn.LATER);
    }

    @Test
    void aFailureLetsNoneBeginAndTellsWhetherOneIsBehind() {
        producer.acknowledged(PARTITION);
        assertThat(line.begin(path(producer))).isEqualTo(Turn.NOW);

        assertThat(line.breakOff(first)).isFalse();

        assertThat(run.isBroken()).isTrue();
        assertThat(line.begin(path(producer))).isEqualTo(Turn.NEVER);
        assertThat(line.isBehindFailed(second)).isTrue();
        assertThat(line.isBehindFailed(first)).isFalse();
    }

    @Test
    void aFailureTellsOfThoseThatHaveBegunBehindIt() {
        producer.acknowledged(PARTITION);
        assertThat(line.begin(path(producer))).isEqualTo(Turn.NOW);
        assertThat(line.begin(path(producer))).isEqualTo(Turn.NOW);

        assertThat(line.breakOff(first)).isTrue();
    }

    /** Nothing is behind the first then that could pass it, and the producer need not be replaced. */
    @Test
    void oneThatFoundNoRoomHasNotBegun() {
        producer.acknowledged(PARTITION);
        assertThat(line.begin(path(producer))).isEqualTo(Turn.NOW);
        assertThat(line.begin(path(producer))).isEqualTo(Turn.NOW);

        line.putBack(second);

        assertThat(line.breakOff(first)).isFalse();
        assertThat(line.first()).isSameAs(second);
    }

    private static Path path(SharedProducer producer) {
        return new Path(producer, PARTITION, producer.isKnownAt(PARTITION));
    }

    private OutgoingRecord sending() {
        return new OutgoingRecord(
                new ProducerRecord<>("orders", new byte[1]), true, SendContext.of(run), Duration.ofMinutes(1));
    }

    private SharedProducer producer() {
        return new SharedProducer(
                new MockProducer<>(
                        true, new RoundRobinPartitioner(), new ByteArraySerializer(), new ByteArraySerializer()),
                clock::get);
    }
}
