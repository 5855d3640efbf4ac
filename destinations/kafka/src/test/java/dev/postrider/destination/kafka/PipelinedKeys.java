package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.LaneTenure;
import dev.postrider.testkit.PipelinedKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Some busy keys, each sent by a thread of its own, and the question whether their order was kept at the broker. */
final class PipelinedKeys {

    private static final Duration PATIENCE = Duration.ofMinutes(3L * Rounds.COUNT + 5);
    private static final int IN_FLIGHT = 300;
    private static final Duration PACE = Duration.ofMillis(2);

    private final List<List<OutboxMessage>> messages;
    private final List<CompletableFuture<PipelinedKey>> sendings;

    private PipelinedKeys(
            Destination destination, LaneTenure tenure, List<List<OutboxMessage>> messages, Duration pace) {
        this.messages = messages;
        this.sendings = messages.stream()
                .map(ofKey -> new PipelinedKey(destination, tenure, ofKey, IN_FLIGHT, pace))
                .map(key -> CompletableFuture.supplyAsync(
                        () -> key.sendAll(PATIENCE), task -> new Thread(task, "pipelined-key").start()))
                .toList();
    }

    /** Starts to send {@code count} messages of each of {@code keys} keys. */
    static PipelinedKeys send(
            Destination destination, int keys, int count, IntFunction<OutboxMessage.Builder> message) {
        return send(destination, Unowned.LANE, keys, count, message);
    }

    static PipelinedKeys send(
            Destination destination,
            LaneTenure tenure,
            int keys,
            int count,
            IntFunction<OutboxMessage.Builder> message) {
        return new PipelinedKeys(destination, tenure, messages(keys, count, message), Duration.ZERO);
    }

    /** Another owner of the lane starts to send the same messages, from the first. */
    PipelinedKeys alsoBy(Destination destination, LaneTenure tenure) {
        return new PipelinedKeys(destination, tenure, messages, Duration.ZERO);
    }

    /** So slowly that those in flight differ in age: some expire while others are still sent. */
    static PipelinedKeys sendSlowly(
            Destination destination, int keys, int count, IntFunction<OutboxMessage.Builder> message) {
        return sendSlowly(destination, keys, count, message, PACE);
    }

    static PipelinedKeys sendSlowly(
            Destination destination, int keys, int count, IntFunction<OutboxMessage.Builder> message, Duration pace) {
        return new PipelinedKeys(destination, Unowned.LANE, messages(keys, count, message), pace);
    }

    private static List<List<OutboxMessage>> messages(int keys, int count, IntFunction<OutboxMessage.Builder> message) {
        return IntStream.range(0, keys)
                .mapToObj(key -> IntStream.range(0, count)
                        .mapToObj(number ->
                                message.apply(number).key("key-" + key).build())
                        .toList())
                .toList();
    }

    static IntFunction<OutboxMessage.Builder> ofBytes(String topic, int bytes) {
        return number -> OutboxMessage.builder(topic).type("t").payload(new byte[bytes]);
    }

    /** Every message but those of the numbers that are expected to be rejected. */
    PipelinedKeys assertAllDeliveredBut(IntPredicate isRejected) {
        for (int key = 0; key < messages.size(); key++) {
            List<OutboxMessage> ofKey = messages.get(key);
            assertThat(ids(sendings.get(key).join().delivered()))
                    .isEqualTo(ids(IntStream.range(0, ofKey.size())
                            .filter(isRejected.negate())
                            .mapToObj(ofKey::get)
                            .toList()));
        }
        return this;
    }

    PipelinedKeys assertAllDelivered() {
        return assertAllDeliveredBut(number -> false);
    }

    /** No message arrived first before an earlier one of its key, and none that was delivered is missing. */
    PipelinedKeys assertOrderIn(List<OutboxMessage> arrived) {
        for (CompletableFuture<PipelinedKey> sending : sendings) {
            List<MessageId> delivered = ids(sending.join().delivered());
            Set<MessageId> ofKey = Set.copyOf(delivered);
            assertThat(arrived.stream()
                            .map(OutboxMessage::id)
                            .filter(ofKey::contains)
                            .distinct()
                            .toList())
                    .isEqualTo(delivered);
        }
        return this;
    }

    /** The same for a topic that has lost what was in it before: the last messages of the only key, without a gap. */
    void assertTailIn(List<OutboxMessage> arrived) {
        List<MessageId> delivered = ids(sendings.get(0).join().delivered());
        List<MessageId> first = ids(arrived).stream().distinct().toList();
        assertThat(first).isNotEmpty().isEqualTo(delivered.subList(delivered.size() - first.size(), delivered.size()));
    }

    List<DeliveryResult> failures() {
        return sendings.stream()
                .map(CompletableFuture::join)
                .map(PipelinedKey::failures)
                .flatMap(Collection::stream)
                .collect(Collectors.toList());
    }

    int count() {
        return messages.stream().mapToInt(List::size).sum();
    }

    int maxInFlight() {
        return messages.size() * IN_FLIGHT;
    }

    void assertNotDone() {
        assertThat(sendings).allSatisfy(sending -> assertThat(sending).isNotDone());
    }

    private static List<MessageId> ids(List<OutboxMessage> some) {
        return some.stream().map(OutboxMessage::id).toList();
    }
}
