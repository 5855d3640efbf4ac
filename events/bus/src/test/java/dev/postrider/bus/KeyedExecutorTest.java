package dev.postrider.bus;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KeyedExecutorTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final KeyedExecutor executor = new KeyedExecutor("test", 4);

    @AfterEach
    void stop() {
        executor.stopNow();
    }

    @Test
    void runsTheTasksOfAKeyInTheOrderGivenAndNeverTwoAtOnce() throws Exception {
        ConcurrentHashMap<String, List<Integer>> order = new ConcurrentHashMap<>();
        ConcurrentHashMap<String, AtomicInteger> running = new ConcurrentHashMap<>();
        AtomicInteger overlaps = new AtomicInteger();
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            int number = i;
            String key = "key-" + random.nextInt(5);
            executor.execute(Optional.of(key), () -> {
                AtomicInteger atOnce = running.computeIfAbsent(key, name -> new AtomicInteger());
                overlaps.addAndGet(atOnce.incrementAndGet() - 1);
                order.computeIfAbsent(key, name -> new ArrayList<>()).add(number);
                atOnce.decrementAndGet();
            });
        }

        assertThat(executor.awaitIdle(SOON)).isTrue();

        assertThat(overlaps).hasValue(0);
        assertThat(order.values()).allSatisfy(numbers -> assertThat(numbers).isSorted());
        assertThat(order.values().stream().mapToInt(List::size).sum()).isEqualTo(2_000);
    }

    @Test
    void runsDifferentKeysAndThoseWithoutOneAtOnce() throws Exception {
        CyclicBarrier all = new CyclicBarrier(4);

        executor.execute(Optional.of("a"), () -> await(all));
        executor.execute(Optional.of("b"), () -> await(all));
        executor.execute(Optional.empty(), () -> await(all));
        executor.execute(Optional.empty(), () -> await(all));

        assertThat(executor.awaitIdle(SOON)).isTrue();
    }

    @Test
    void goesOnWithTheKeyOfATaskThatThrew() throws Exception {
        CountDownLatch second = new CountDownLatch(1);
        executor.execute(Optional.of("a"), () -> {
            throw new IllegalStateException("on purpose");
        });

        executor.execute(Optional.of("a"), second::countDown);

        second.await();
        assertThat(executor.awaitIdle(SOON)).isTrue();
    }

    @Test
    void saysWhenWaitingWasInVain() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        executor.execute(Optional.empty(), () -> await(release));

        assertThat(executor.awaitIdle(Duration.ofMillis(20))).isFalse();

        release.countDown();
        assertThat(executor.awaitIdle(SOON)).isTrue();
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
