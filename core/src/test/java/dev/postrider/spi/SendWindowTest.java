package dev.postrider.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SendWindowTest {

    private final List<String> begun = new ArrayList<>();

    @Test
    void letsThoseBeyondWaitForTheirTurnInOrder() {
        SendWindow window = new SendWindow(2);
        for (String name : List.of("a", "b", "c", "d")) {
            assertThat(window.enter(() -> begun.add(name), () -> begun.add(name + " later")))
                    .isTrue();
        }
        assertThat(begun).containsExactly("a", "b");

        window.leave();
        assertThat(begun).containsExactly("a", "b", "c later");
        window.leave();
        assertThat(begun).containsExactly("a", "b", "c later", "d later");
    }

    @Test
    void letsNobodyPassOneThatHasLeftTheLineAndNotYetBegun() {
        SendWindow window = new SendWindow(2);
        window.enter(() -> begun.add("a"));
        window.enter(() -> begun.add("b"));
        window.enter(() -> {
            runAside(() -> {
                window.leave();
                window.enter(() -> begun.add("d"));
            });
            begun.add("c");
        });

        window.leave();

        assertThat(begun).containsExactly("a", "b", "c", "d");
    }

    private static void runAside(Runnable task) {
        CompletableFuture.runAsync(task).join();
    }

    @Test
    void refusesWhenTheLineIsTenTimesAsLongAsTheWindow() {
        SendWindow window = new SendWindow(1);
        for (int i = 0; i < 11; i++) {
            assertThat(window.enter(() -> begun.add("x"))).isTrue();
        }

        assertThat(window.enter(() -> begun.add("y"))).isFalse();
        window.leave();
        assertThat(window.enter(() -> begun.add("y"))).isTrue();
    }

    @Test
    void needsNoStackForALongLineOfThoseThatEndAtOnce() {
        SendWindow window = new SendWindow(10_000);
        for (int i = 0; i < 10_000; i++) {
            window.enter(() -> {});
        }
        AtomicInteger ended = new AtomicInteger();
        for (int i = 0; i < 100_000; i++) {
            window.enter(() -> {
                ended.incrementAndGet();
                window.leave();
            });
        }

        window.leave();

        assertThat(ended).hasValue(100_000);
    }

    @Test
    void letsTheNextBeginAlsoAfterOneThatFailedToBegin() {
        SendWindow window = new SendWindow(2);
        window.enter(() -> begun.add("a"));
        window.enter(() -> begun.add("b"));
        window.enter(() -> {
            throw new IllegalStateException("broken");
        });
        window.enter(() -> begun.add("d"));

        window.leave();
        window.leave();

        assertThat(begun).containsExactly("a", "b", "d");
    }

    @Test
    void neverHasMoreInsideThanItsSizeAndForgetsNobody() throws InterruptedException {
        SendWindow window = new SendWindow(3);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        ExecutorService broker = Executors.newFixedThreadPool(4);
        CountDownLatch all = new CountDownLatch(4);
        for (int thread = 0; thread < 4; thread++) {
            new Thread(() -> {
                        for (int i = 0; i < 2000; i++) {
                            Runnable begin = () -> {
                                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                                broker.execute(() -> {
                                    inside.decrementAndGet();
                                    ended.incrementAndGet();
                                    window.leave();
                                });
                            };
                            while (!window.enter(begin)) {
                                Thread.onSpinWait();
                            }
                        }
                        all.countDown();
                    })
                    .start();
        }

        assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(window.awaitEmpty(Duration.ofSeconds(30))).isTrue();
        assertThat(ended).hasValue(8000);
        assertThat(most.get()).isLessThanOrEqualTo(3);
        broker.shutdown();
    }

    @Test
    void saysWhenItIsNotEmptyInTime() throws InterruptedException {
        SendWindow window = new SendWindow(1);
        assertThat(window.awaitEmpty(Duration.ZERO)).isTrue();
        window.enter(() -> {});

        assertThat(window.awaitEmpty(Duration.ofMillis(1))).isFalse();
    }

    @Test
    void refusesAWindowForNothing() {
        assertThatThrownBy(() -> new SendWindow(0)).hasMessageContaining("size is 0");
    }
}
