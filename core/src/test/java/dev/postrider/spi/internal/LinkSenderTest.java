package dev.postrider.spi.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.postrider.message.InvalidMessageException;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Abandoned;
import dev.postrider.spi.DeliveryResult.Outage;
import dev.postrider.spi.DeliveryResult.Reject;
import dev.postrider.spi.DeliveryResult.Retry;
import dev.postrider.spi.DeliveryResult.Unavailable;
import dev.postrider.spi.KeyRun;
import dev.postrider.spi.LaneTenure;
import dev.postrider.spi.TraceSpan;
import dev.postrider.spi.internal.Link.NoLinkException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(60)
class LinkSenderTest {

    private final List<TestLink> links = new CopyOnWriteArrayList<>();
    private final CountDownLatch mayConnect = new CountDownLatch(1);
    private LinkSender<String, TestLink> sender = sender(Duration.ofMillis(200));

    private LinkSender<String, TestLink> sender(Duration deliveryTimeout) {
        return new LinkSender<>(new LinkSender.Options("test", "Broker", 10, deliveryTimeout), this::connect);
    }

    private TestLink connect() throws NoLinkException {
        try {
            mayConnect.await();
        } catch (InterruptedException interrupted) {
            throw new NoLinkException("interrupted", interrupted);
        }
        TestLink link = new TestLink();
        links.add(link);
        return link;
    }

    @AfterEach
    void close() {
        mayConnect.countDown();
        sender.close();
    }

    private static DeliveryResult resultOf(CompletionStage<DeliveryResult> sent) throws Exception {
        return sent.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @Test
    void endsWhatWaitsTooLongForALinkAndNeverPublishesItLater() throws Exception {
        CompletionStage<DeliveryResult> late = sender.send("late");

        assertThat(resultOf(late))
                .isInstanceOfSatisfying(
                        Outage.class, outage -> assertThat(outage.reason()).contains("Broker was not ready"));
        mayConnect.countDown();
        CompletionStage<DeliveryResult> next = sender.send("answered");

        assertThat(resultOf(next)).isEqualTo(DeliveryResult.DELIVERED);
        assertThat(links.get(0).published).containsExactly("answered");
    }

    /** Alone it could still arrive, after another of its key. */
    @Test
    void endsWhatIsNotAnsweredTogetherWithItsLink() throws Exception {
        mayConnect.countDown();

        CompletionStage<DeliveryResult> silent = sender.send("unanswered");

        assertThat(resultOf(silent))
                .isInstanceOfSatisfying(
                        Outage.class, outage -> assertThat(outage.reason()).contains("did not acknowledge"));
        assertThat(links.get(0).isUsable()).isFalse();
        assertThat(resultOf(sender.send("answered"))).isEqualTo(DeliveryResult.DELIVERED);
        assertThat(links).hasSize(2);
    }

    /** It would be published when its time is over, and would end its link. */
    @Test
    void endsWhatHasWaitedTooLongForRoomWithoutPublishingIt() throws Exception {
        mayConnect.countDown();
        List<CompletionStage<DeliveryResult>> silent =
                IntStream.range(0, 10).mapToObj(i -> sender.send("unanswered")).toList();

        CompletionStage<DeliveryResult> late = sender.send("answered");

        assertThat(resultOf(silent.get(9))).isInstanceOf(Outage.class);
        assertThat(resultOf(late))
                .isInstanceOfSatisfying(
                        Outage.class, outage -> assertThat(outage.reason()).contains("sent before it"));
        assertThat(links).hasSize(1);
    }

    @Test
    void endsWhatIsBehindAFailedOneOfItsRunWithoutPublishingIt() throws Exception {
        mayConnect.countDown();
        KeyRun run = new KeyRun(new LaneTenure() {
            @Override
            public int lane() {
                return 0;
            }

            @Override
            public long epoch() {
                return 1;
            }

            @Override
            public boolean isCertain() {
                return true;
            }
        });

        CompletionStage<DeliveryResult> failed = sender.send(() -> "full", "the queue", run, TraceSpan.NONE);
        CompletionStage<DeliveryResult> behind = sender.send(() -> "answered", "the queue", run, TraceSpan.NONE);

        assertThat(resultOf(failed)).isInstanceOf(Unavailable.class);
        assertThat(resultOf(behind)).isInstanceOf(Abandoned.class);
        assertThat(run.isBroken()).isTrue();
    }

    @Test
    void saysWhenAPlaceConcernsTheWholeTopic() throws Exception {
        mayConnect.countDown();

        assertThat(resultOf(sender.send(() -> "full", "the queue")))
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        place -> assertThat(place.concernsTopic()).isTrue());
        assertThat(resultOf(sender.send(() -> "full", "another queue")))
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        place -> assertThat(place.concernsTopic()).isFalse());
    }

    @Test
    void rejectsWhatCannotBeWritten() throws Exception {
        CompletionStage<DeliveryResult> sent = sender.send(
                () -> {
                    throw new InvalidMessageException("type", "is too long");
                },
                "the queue");

        assertThat(resultOf(sent)).isInstanceOf(Reject.class);
    }

    @Test
    void waitsForAnswersWhenItClosesAndTakesNothingAfterwards() throws Exception {
        sender.close();
        sender = sender(Duration.ofSeconds(30));
        mayConnect.countDown();
        CompletionStage<DeliveryResult> before = sender.send("answered");

        sender.close();

        assertThat(resultOf(before)).isEqualTo(DeliveryResult.DELIVERED);
        assertThat(resultOf(sender.send("answered")))
                .isInstanceOfSatisfying(
                        Outage.class, outage -> assertThat(outage.reason()).isEqualTo("test is closed"));
    }

    /** Without time-outs a message on a silent link would never end. */
    @Test
    void goesOnEndingWhatIsLateAfterAnErrorOfALink() throws Exception {
        mayConnect.countDown();

        CompletionStage<DeliveryResult> broken = sender.send("broken");

        assertThat(resultOf(broken)).isInstanceOf(Outage.class);
    }

    /** Whoever learns a result does so on the publisher's thread, and may leave it interrupted. */
    @Test
    void goesOnPublishingAfterAnInterruptOfItsThread() throws Exception {
        mayConnect.countDown();

        CompletionStage<DeliveryResult> interrupting = sender.send("interrupting");
        assertThat(resultOf(interrupting)).isEqualTo(DeliveryResult.DELIVERED);

        assertThat(resultOf(sender.send("answered"))).isEqualTo(DeliveryResult.DELIVERED);
    }

    @Test
    void makesTheSpanOfAMessageCurrentWhereItIsPublished() throws Exception {
        mayConnect.countDown();
        BlockingQueue<String> steps = new LinkedBlockingQueue<>();
        TraceSpan span = () -> {
            steps.add("current on " + Thread.currentThread().getName());
            return () -> steps.add("left");
        };

        assertThat(resultOf(sender.send(() -> "answered", "the queue", null, span)))
                .isEqualTo(DeliveryResult.DELIVERED);

        assertThat(steps.poll(30, TimeUnit.SECONDS)).startsWith("current on postrider-test-publish");
        assertThat(steps.poll(30, TimeUnit.SECONDS)).isEqualTo("left");
    }

    @Test
    void logsWhatNobodyExpectsOnceWithItsTrace() throws Exception {
        mayConnect.countDown();
        Logger logger = (Logger) LoggerFactory.getLogger(LinkSender.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            for (int i = 0; i < 5; i++) {
                assertThat(resultOf(sender.send("thrown"))).isInstanceOf(Retry.class);
            }
        } finally {
            logger.detachAppender(lines);
        }

        assertThat(lines.list.stream().filter(line -> line.getLevel() == Level.ERROR))
                .singleElement()
                .satisfies(line -> assertThat(line.getFormattedMessage()).contains("test", "on purpose"))
                .satisfies(line -> assertThat(line.getThrowableProxy()).isNotNull());
    }

    private static final class TestLink implements Link<String> {

        private final List<String> published = new CopyOnWriteArrayList<>();
        private final List<PendingSend<String>> outstanding = new CopyOnWriteArrayList<>();
        private volatile boolean isCut;

        @Override
        public boolean isUsable() {
            return !isCut;
        }

        @Override
        public Optional<DeliveryResult> refusal(String wire) {
            return wire.equals("full")
                    ? Optional.of(DeliveryResult.unavailable("the queue", "is full"))
                    : Optional.empty();
        }

        @Override
        public void publish(PendingSend<String> send) {
            published.add(send.wire());
            if (send.wire().equals("interrupting")) {
                Thread.currentThread().interrupt();
                send.end(DeliveryResult.DELIVERED);
            } else if (send.wire().equals("answered")) {
                send.end(DeliveryResult.DELIVERED);
            } else if (send.wire().equals("thrown")) {
                throw new IllegalStateException("on purpose");
            } else {
                outstanding.add(send);
            }
        }

        @Override
        public DeliveryResult failed(Throwable failure) {
            return DeliveryResult.retry("failed");
        }

        @Override
        public void cut(DeliveryResult outcome) {
            if (!isCut && outstanding.stream().anyMatch(send -> send.wire().equals("broken"))) {
                isCut = true;
                throw new OutOfMemoryError("on purpose");
            }
            isCut = true;
            outstanding.forEach(send -> send.end(outcome));
        }

        @Override
        public void cutAsLost() {
            cut(DeliveryResult.outage("lost"));
        }

        @Override
        public void close() {
            cut(DeliveryResult.outage("closed"));
        }
    }
}
