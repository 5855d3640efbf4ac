package dev.postrider.destination.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.destination.memory.MemoryDestination.Subscription;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Health;
import dev.postrider.testkit.DestinationContract;
import dev.postrider.testkit.DestinationFixture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A buffer that is closed without losing what is in it (A000-10 of the reference). */
class MemoryDestinationTest extends DestinationContract {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final MemoryDestination destination = MemoryDestination.named("memory", 2);
    private final List<OutboxMessage> handled = new CopyOnWriteArrayList<>();

    @Override
    protected DestinationFixture newFixture() {
        return new Fixture();
    }

    private static OutboxMessage message() {
        return OutboxMessage.builder("orders").type("t").build();
    }

    private CompletableFuture<DeliveryResult> send() {
        return destination.send(message()).toCompletableFuture();
    }

    @Test
    void buffersTwentyMessagesPerGroupByDefault() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (MemoryDestination usual = MemoryDestination.named("memory")) {
            CountDownLatch busy = new CountDownLatch(1);
            usual.subscribe("slow", message -> {
                busy.countDown();
                await(release);
            });
            assertThat(usual.send(message()).toCompletableFuture()).succeedsWithin(SOON);
            busy.await();

            List<CompletableFuture<DeliveryResult>> sends = IntStream.range(0, 21)
                    .mapToObj(i -> usual.send(message()).toCompletableFuture())
                    .toList();

            assertThat(sends.subList(0, 20)).allMatch(CompletableFuture::isDone);
            assertThat(sends.get(20)).isNotDone();
            release.countDown();
            assertThat(sends.get(20)).succeedsWithin(SOON).isEqualTo(DeliveryResult.DELIVERED);
        }
    }

    @Test
    void givesEveryGroupEveryMessage() {
        List<OutboxMessage> other = new CopyOnWriteArrayList<>();
        destination.subscribe("one", handled::add);
        destination.subscribe("two", other::add);

        IntStream.range(0, 10)
                .forEach(i -> assertThat(send()).succeedsWithin(SOON).isEqualTo(DeliveryResult.DELIVERED));
        destination.close();

        assertThat(handled).hasSize(10);
        assertThat(other).containsExactlyElementsOf(handled);
    }

    @Test
    void letsTheMembersOfAGroupCompete() throws Exception {
        CountDownLatch bothAtWork = new CountDownLatch(2);
        for (int member = 0; member < 2; member++) {
            destination.subscribe("group", message -> {
                bothAtWork.countDown();
                await(bothAtWork);
                handled.add(message);
            });
        }

        assertThat(send()).succeedsWithin(SOON);
        assertThat(send()).succeedsWithin(SOON);
        bothAtWork.await();
        destination.close();

        assertThat(handled).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void isUnreachableWhileNobodyHasSubscribed() {
        assertThat(send()).succeedsWithin(SOON).isInstanceOf(DeliveryResult.Outage.class);
    }

    @Test
    void keepsMessagesForAGroupWhoseOnlyMemberRestarts() {
        destination.subscribe("group", handled::add).close();

        List<OutboxMessage> messages = List.of(message(), message(), message());
        List<CompletableFuture<DeliveryResult>> sends = messages.stream()
                .map(message -> destination.send(message).toCompletableFuture())
                .toList();
        assertThat(sends.subList(0, 2)).allMatch(CompletableFuture::isDone);
        assertThat(sends.get(2)).isNotDone();
        destination.subscribe("group", handled::add);

        assertThat(sends)
                .allSatisfy(send -> assertThat(send).succeedsWithin(SOON).isEqualTo(DeliveryResult.DELIVERED));
        destination.close();
        assertThat(handled).containsExactlyElementsOf(messages);
    }

    @Test
    void givesAMessageToNoGroupWhenOneHasNoRoomInTime() {
        MemoryDestination hurried = MemoryDestination.named("memory", 1, Duration.ofMillis(50));
        OutboxMessage first = message();
        OutboxMessage second = message();
        CountDownLatch taken = new CountDownLatch(1);
        hurried.subscribe("reader", message -> {
            handled.add(message);
            taken.countDown();
        });
        hurried.subscribe("gone", unseen -> {}).close();
        assertThat(hurried.send(first).toCompletableFuture()).succeedsWithin(SOON);
        await(taken);

        assertThat(hurried.send(second).toCompletableFuture())
                .succeedsWithin(SOON)
                .isInstanceOfSatisfying(
                        DeliveryResult.Outage.class,
                        outage -> assertThat(outage.reason()).contains("gone", "has no members", "remove the group"));
        assertThat(hurried.healthCheck()).isInstanceOf(Health.Down.class);

        hurried.removeGroup("gone");
        assertThat(hurried.healthCheck()).isEqualTo(Health.UP);
        assertThat(hurried.send(second).toCompletableFuture())
                .succeedsWithin(SOON)
                .isEqualTo(DeliveryResult.DELIVERED);
        hurried.close();
        assertThat(handled).containsExactly(first, second);
    }

    @Test
    void leavesTheMessageOfAFailingHandlerToTheNextMember() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        Subscription failing = destination.subscribe("group", message -> {
            failed.countDown();
            throw new IllegalStateException("never");
        });
        assertThat(send()).succeedsWithin(SOON);
        failed.await();
        failing.close();

        CountDownLatch reached = new CountDownLatch(1);
        destination.subscribe("group", message -> reached.countDown());

        assertThat(reached.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        destination.close();
    }

    @Test
    void endsWhatWaitsForRoomWhenItIsClosed() {
        destination.subscribe("gone", unseen -> {}).close();
        List<CompletableFuture<DeliveryResult>> sends = List.of(send(), send(), send());

        destination.close();

        assertThat(sends.get(2)).succeedsWithin(SOON).isInstanceOf(DeliveryResult.Outage.class);
    }

    @Test
    void givesAMessageAgainToAHandlerThatFailed() {
        AtomicInteger calls = new AtomicInteger();
        destination.subscribe("group", message -> {
            switch (calls.incrementAndGet()) {
                case 1 -> throw new IllegalStateException("not yet");
                case 2 -> throw new AssertionError("still not");
                default -> handled.add(message);
            }
        });

        assertThat(send()).succeedsWithin(SOON).isEqualTo(DeliveryResult.DELIVERED);
        destination.close();

        assertThat(handled).hasSize(1);
        assertThat(calls).hasValue(3);
    }

    @Test
    void refusesACapacityOutsideItsRange() {
        assertThatThrownBy(() -> MemoryDestination.named("memory", 0)).hasMessageContaining("expected 1 to 1000000");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Fixture implements DestinationFixture {

        private final List<OutboxMessage> arrived = new CopyOnWriteArrayList<>();

        @Override
        public Destination open() {
            MemoryDestination destination = MemoryDestination.named("memory");
            destination.subscribe("reader", arrived::add);
            return destination;
        }

        @Override
        public String newTopic() {
            return "orders";
        }

        @Override
        public List<OutboxMessage> arrived(String topic, int count) {
            long end = System.nanoTime() + SOON.toNanos();
            while (arrived.size() < count && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            return List.copyOf(arrived);
        }
    }
}
