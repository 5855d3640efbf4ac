package dev.postrider.destination.kafka;

import dev.postrider.internal.DaemonThreads;
import dev.postrider.spi.Delivery;
import dev.postrider.spi.Health;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.Receiver;
import dev.postrider.spi.ReceiverException;
import dev.postrider.spi.Subscription;
import dev.postrider.spi.internal.DeliveryQueue;
import dev.postrider.spi.internal.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Receives from Apache Kafka as a member of a consumer group.
 *
 * <p>A record is committed only when it was handled, or safely is in a retry or parking topic. Records of one key are handed over one
 * after the other, those of different keys at once, also within a partition; what is committed is the first record that is not
 * done with. After a crash, or when a partition moves to another member, records behind that one arrive again, at most
 * {@link KafkaReceiverBuilder#maxUncommitted} and one fetch of each partition: the inbox drops such duplicates.
 *
 * <p>A failed record waits where it is and holds back its key ({@link Ordering#PER_KEY}), or goes through retry topics and is
 * overtaken ({@link Ordering#NONE}); see {@link KafkaReceiverBuilder#retryTopics}. What is no CloudEvent at all is parked at once.
 *
 * <p>Kafka's consumer reconnects by itself. What it cannot recover from, such as refused credentials or a deleted topic, ends {@link #termination}. A
 * parking topic that cannot be written to holds up its partitions, is logged, and shows in {@link #healthCheck}. Thread-safe.
 *
 * <p>Threads: one polls, whatever handlers do; one is a timer, one sends to other topics. Deliveries are handed over by these,
 * by the producer's thread and by settling threads, one at a time. All state is in {@link OpenPartitions} and {@link DeliveryQueue}.
 *
 * <pre>{@code
 * Receiver receiver = KafkaReceiver.builder("billing", "broker1:9092,broker2:9092")
 *         .topics("orders")
 *         .createTopics(6, 3)
 *         .build();
 * }</pre>
 */
public final class KafkaReceiver implements Receiver {

    private static final SendTimes TIMES = new SendTimes(Duration.ofMinutes(1));

    private final String group;
    private final List<String> topics;
    private final RetryPlan plan;
    private final int prefetch;
    private final Duration rebalanceTimeout;
    private final Duration closeTimeout;
    private final Optional<TopicCreation> creation;
    private final Optional<String> keyAttribute;
    private final Map<String, Object> consumerProperties;
    private final KafkaClients clients;
    private final OpenPartitions partitions;
    private final Timer timer;
    private final Timer sender;
    private final RecordForwarder forwarder;
    private final DeliveryQueue<IncomingRecord> queue;
    private final ClusterHealth health;
    private final CompletableFuture<Void> termination = new CompletableFuture<>();
    private @Nullable PollLoop loop;
    private @Nullable Thread thread;
    private boolean isStarted;
    private boolean isClosed;

    KafkaReceiver(KafkaReceiverBuilder options) {
        this.group = options.group;
        this.topics = List.copyOf(options.topics);
        this.plan = options.plan();
        this.prefetch = options.prefetch;
        this.rebalanceTimeout = options.rebalanceTimeout;
        this.closeTimeout = options.closeTimeout;
        this.creation = options.topicCreation;
        this.keyAttribute = options.keyAttribute;
        this.consumerProperties = options.consumerProperties();
        this.clients = new KafkaClients(options.producerProperties(TIMES), options.adminProperties(TIMES));
        this.partitions = new OpenPartitions(options.maxUncommitted, options.maxBufferedBytes);
        this.timer = new Timer(threads("timer").name());
        this.sender = new Timer(threads("send").name());
        this.forwarder = new RecordForwarder(clients, sender);
        this.queue = new DeliveryQueue<>(
                name(), prefetch, new TopicSettlement(partitions, plan, forwarder), options.listener, timer);
        this.health = new ClusterHealth(clients);
    }

    /**
     * Starts with what is needed.
     *
     * @param group the consumer group, such as {@code billing}: its members share the messages, and each group gets them all
     * @param bootstrapServers some brokers as {@code host:port}, separated by commas
     */
    public static KafkaReceiverBuilder builder(String group, String bootstrapServers) {
        return new KafkaReceiverBuilder(group, bootstrapServers);
    }

    @Override
    public String name() {
        return "kafka/" + group;
    }

    @Override
    public String system() {
        return "kafka";
    }

    @Override
    public int prefetch() {
        return prefetch;
    }

    @Override
    public Ordering ordering() {
        return plan.isInPlace() ? Ordering.PER_KEY : Ordering.NONE;
    }

    /** Looks for the topics, makes what is missing if it may, and joins the group. Events of other types are passed over. */
    @Override
    public synchronized void start(Subscription subscription, Consumer<Delivery> deliveries) {
        if (isStarted || isClosed) {
            throw new IllegalStateException("Receiver " + name() + " was started or closed before; make a new one");
        }
        queue.start(Objects.requireNonNull(deliveries, "deliveries"));
        isStarted = true;
        try {
            clients.open();
            new ReceiverTopics(name(), clients.admin(), creation).prepare(topics, plan);
            poll(new RecordIntake(partitions, queue, plan, subscription, keyAttribute));
        } catch (KafkaException | IllegalArgumentException refused) {
            throw giveUp(ReceiveFailures.notStarted(name(), refused));
        } catch (ReceiverException refused) {
            throw giveUp(refused);
        }
    }

    private void poll(RecordIntake intake) {
        List<String> all = new ArrayList<>(topics);
        all.addAll(plan.retryTopics());
        PollLoop polling =
                new PollLoop(new KafkaConsumer<>(consumerProperties), all, partitions, intake, rebalanceTimeout);
        var unused = polling.end().whenComplete((ended, failure) -> ended(failure));
        loop = polling;
        thread = threads("poll").newThread(polling);
        thread.start();
        new TopicWatch(clients, all, polling::fail).start(timer);
    }

    private ReceiverException giveUp(ReceiverException reason) {
        releaseResources();
        termination.completeExceptionally(reason);
        return reason;
    }

    private DaemonThreads threads(String duty) {
        return new DaemonThreads("postrider-kafka-" + group + "-" + duty);
    }

    private void ended(@Nullable Throwable failure) {
        if (failure == null) {
            termination.complete(null);
        } else {
            timer.close();
            sender.close();
            termination.completeExceptionally(ReceiveFailures.ended(name(), failure));
        }
    }

    @Override
    public void stop() {
        queue.stop();
    }

    /** Waits up to the close time-out for messages that are on their way to another topic, and commits what was handled. */
    @Override
    public void close() {
        stop();
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            queue.awaitSettled(closeTimeout);
            endLoop();
            releaseResources();
            termination.complete(null);
        }
    }

    private void endLoop() {
        if (loop == null || thread == null) {
            return;
        }
        loop.close();
        queue.hurry();
        try {
            thread.join(closeTimeout.plus(PollLoop.LAST_COMMIT.multipliedBy(3)).toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void releaseResources() {
        queue.close();
        sender.close();
        clients.close(Duration.ZERO);
    }

    @Override
    public CompletionStage<Void> termination() {
        return termination.minimalCompletionStage();
    }

    /** Asks the cluster; also down while messages cannot be set aside. */
    @Override
    public Health healthCheck() {
        if (termination.isDone()) {
            return Health.down("Receiver " + name() + " has ended");
        }
        return forwarder.problem().map(Health::down).orElseGet(health::check);
    }
}
