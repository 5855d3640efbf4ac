package dev.postrider.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.internal.Readable;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.BlockingDestination.Sender;
import dev.postrider.spi.DeliveryResult.Failed;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BlockingDestinationTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final OutboxMessage message =
            OutboxMessage.builder("orders").type("OrderPlaced").build();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<BlockingDestination> open = new ArrayList<>();

    @AfterEach
    void close() {
        gate.countDown();
        open.forEach(BlockingDestination::close);
    }

    @Test
    void deliversWhatTheCodeTakes() {
        List<OutboxMessage> taken = new ArrayList<>();
        BlockingDestination destination = destination(taken::add, 1, LONG);

        assertThat(send(destination).join()).isEqualTo(DeliveryResult.DELIVERED);
        assertThat(taken).containsExactly(message);
    }

    @Test
    void asksForARetryWhenTheCodeThrows() {
        BlockingDestination destination = destination(
                taken -> {
                    throw new IOException("no route");
                },
                1,
                LONG);

        assertThat(send(destination).join()).isInstanceOfSatisfying(DeliveryResult.Retry.class, retry -> {
            assertThat(retry.reason()).isEqualTo("IOException: no route");
            assertThat(retry.cause()).containsInstanceOf(IOException.class);
        });
    }

    @ParameterizedTest
    @MethodSource
    void reportsThatNobodyAnswersAsAnOutage(Exception failure) {
        BlockingDestination destination = destination(
                taken -> {
                    throw failure;
                },
                1,
                LONG);

        assertThat(send(destination).join()).isInstanceOf(DeliveryResult.Outage.class);
    }

    static Stream<Exception> reportsThatNobodyAnswersAsAnOutage() {
        return Stream.of(
                new ConnectException("Connection refused"),
                new NoRouteToHostException(),
                new UnknownHostException("billing.internal"),
                new UnresolvedAddressException(),
                new SocketTimeoutException("Read timed out"),
                new HttpTimeoutException("request timed out"),
                new HttpConnectTimeoutException("connect timed out"),
                new TimeoutException(),
                new SSLHandshakeException("certificate_expired"),
                new IllegalStateException("in a client", new IOException(new ConnectException("deep"))));
    }

    @Test
    void takesTheWordOfCodeThatKnowsWhatHappened() {
        List<Failed> results = List.of(
                DeliveryResult.outage("maintenance"),
                DeliveryResult.retry("busy", new ConnectException()),
                DeliveryResult.reject("unknown customer"));
        for (Failed result : results) {
            BlockingDestination destination = destination(
                    taken -> {
                        throw new DeliveryFailedException(result);
                    },
                    1,
                    LONG);

            assertThat(send(destination).join()).isSameAs(result);
        }
    }

    @Test
    void looksAtCausesThatLeadBackToThemselves() {
        IOException first = new IOException("first");
        first.initCause(new IOException("second", first));
        BlockingDestination destination = destination(
                taken -> {
                    throw first;
                },
                1,
                LONG);

        assertThat(send(destination).join()).isInstanceOf(DeliveryResult.Retry.class);
    }

    @Test
    void asksForARetryWhenTheCodeOverflowsTheStack() {
        BlockingDestination destination = destination(this::recurse, 1, LONG);

        assertThat(send(destination).join()).isInstanceOf(DeliveryResult.Retry.class);
        assertThat(send(destination).join()).isInstanceOf(DeliveryResult.Retry.class);
    }

    @SuppressWarnings("InfiniteRecursion")
    private void recurse(OutboxMessage taken) {
        recurse(taken);
    }

    @Test
    void runsAsManyCallsAtOnceAsItHasThreadsAndLetsMoreWait() {
        AtomicInteger running = new AtomicInteger();
        BlockingDestination destination = destination(
                taken -> {
                    running.incrementAndGet();
                    gate.await();
                },
                2,
                LONG);
        List<CompletableFuture<DeliveryResult>> sends =
                Stream.generate(() -> send(destination)).limit(5).toList();

        assertThat(destination.maxInFlight()).isEqualTo(2);
        assertThat(running.get()).isLessThanOrEqualTo(2);
        gate.countDown();
        assertThat(sends).allSatisfy(send -> assertThat(send.join()).isEqualTo(DeliveryResult.DELIVERED));
    }

    /** Others have used up its time: that must not count as an attempt. */
    @Test
    void reportsAMessageThatWaitedTooLongAsAnOutage() {
        BlockingDestination destination = destination(taken -> Thread.sleep(10_000), 1, Duration.ofMillis(100));
        CompletableFuture<DeliveryResult> first = send(destination);
        CompletableFuture<DeliveryResult> second = send(destination);

        assertThat(first.join()).isInstanceOf(DeliveryResult.Retry.class);
        assertThat(second.join()).isInstanceOf(DeliveryResult.Outage.class);
    }

    @Test
    void reportsMoreThanMayWaitAsAnOutage() {
        BlockingDestination destination = destination(taken -> gate.await(), 1, LONG);
        for (int i = 0; i < 11; i++) {
            assertThat(send(destination)).isNotDone();
        }

        assertThat(send(destination)).isCompletedWithValueMatching(DeliveryResult.Outage.class::isInstance);
        gate.countDown();
    }

    @Test
    void hasRoomAgainAsSoonAsAResultIsKnown() {
        AtomicInteger taken = new AtomicInteger();
        BlockingDestination destination = destination(ignored -> taken.incrementAndGet(), 1, LONG);

        for (int i = 0; i < 20_000; i++) {
            assertThat(send(destination).join()).isEqualTo(DeliveryResult.DELIVERED);
        }
        assertThat(taken).hasValue(20_000);
    }

    @Test
    void interruptsACallThatTakesTooLong() {
        BlockingDestination destination = destination(taken -> gate.await(), 1, SHORT);

        assertThat(send(destination).join())
                .isInstanceOfSatisfying(
                        DeliveryResult.Retry.class,
                        retry -> assertThat(retry.reason()).isEqualTo("Took longer than 50 ms"));
    }

    @Test
    void endsASendOnlyWhenTheCodeHasReturnedForIt() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        BlockingDestination destination = destination(
                taken -> {
                    awaitIgnoringInterrupts(interrupted);
                },
                1,
                SHORT);
        CompletableFuture<DeliveryResult> sending = send(destination);

        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(sending).isNotDone();

        gate.countDown();
        assertThat(sending.join()).isEqualTo(DeliveryResult.DELIVERED);
    }

    private void awaitIgnoringInterrupts(CountDownLatch interrupted) {
        while (gate.getCount() > 0) {
            try {
                gate.await();
            } catch (InterruptedException ignored) {
                interrupted.countDown();
            }
        }
    }

    @Test
    void startsEveryCallWithoutALeftOverInterrupt() {
        AtomicBoolean wasInterrupted = new AtomicBoolean();
        AtomicInteger calls = new AtomicInteger();
        BlockingDestination destination = destination(
                taken -> {
                    wasInterrupted.compareAndSet(false, Thread.currentThread().isInterrupted());
                    if (calls.incrementAndGet() == 1) {
                        Thread.currentThread().interrupt();
                    }
                },
                1,
                LONG);
        for (int i = 0; i < 100; i++) {
            send(destination).join();
        }

        assertThat(wasInterrupted).isFalse();
    }

    @Test
    void reportsAnOutageOnceClosed() {
        BlockingDestination destination = destination(taken -> {}, 1, LONG);
        destination.close();
        destination.close();

        assertThat(send(destination).join()).isEqualTo(DeliveryResult.outage("test is closed"));
    }

    @Test
    void closesOnlyWhenRunningCallsHaveEnded() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        BlockingDestination destination = destination(
                taken -> {
                    running.countDown();
                    gate.await();
                },
                1,
                LONG);
        CompletableFuture<DeliveryResult> sending = send(destination);
        running.await();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(destination::close);
        gate.countDown();
        closing.join();

        assertThat(sending).isCompletedWithValue(DeliveryResult.DELIVERED);
    }

    @Test
    void promisesAnEndOneSecondAfterItsTimeout() {
        assertThat(destination(taken -> {}, 1, LONG).deliveryTimeout()).isEqualTo(LONG.plusSeconds(1));
    }

    @Test
    void hasSixteenThreadsAndFiveSecondsByDefault() {
        try (Destination destination = Destination.blocking("shop", taken -> {})) {
            assertThat(destination.name()).isEqualTo("shop");
            assertThat(destination.maxInFlight()).isEqualTo(16);
            assertThat(destination.deliveryTimeout()).isEqualTo(Duration.ofSeconds(6));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 10_001})
    void refusesThreadsOutOfRange(int threads) {
        assertThatThrownBy(() -> BlockingDestination.of("test", taken -> {}, threads, LONG))
                .hasMessage("threads is %d, expected 1 to 10000", threads);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT1H0.001S", "PT9999999H"})
    void refusesATimeoutOutOfRange(Duration timeout) {
        assertThatThrownBy(() -> BlockingDestination.of("test", taken -> {}, 1, timeout))
                .hasMessage("timeout is %s, expected more than zero and at most 1 h", Readable.time(timeout));
    }

    private BlockingDestination destination(Sender sender, int threads, Duration timeout) {
        BlockingDestination destination = BlockingDestination.of("test", sender, threads, timeout);
        open.add(destination);
        return destination;
    }

    private CompletableFuture<DeliveryResult> send(BlockingDestination destination) {
        return destination.send(message).toCompletableFuture();
    }
}
