package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.BuiltinExchangeType;
import dev.postrider.internal.Range;
import dev.postrider.spi.internal.Timer;
import java.time.Duration;

/** Collects the options of a plain receiver; see {@link RabbitmqReceiver#plain}. Not thread-safe. */
public final class PlainReceiverBuilder extends RabbitmqReceiverBuilder<PlainReceiverBuilder> {

    private static final int NO_LIMIT = Integer.MAX_VALUE;

    private boolean hasDeadLetters = true;
    private boolean isRequeuing;
    private int maxAttempts = NO_LIMIT;
    private Backoff pauses = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));

    PlainReceiverBuilder(String queue) {
        super(queue);
    }

    @Override
    PlainReceiverBuilder self() {
        return this;
    }

    /**
     * Leaves what cannot be handled to the arguments and policies of the queue, as they are at the broker: if they name no dead-letter
     * exchange, the broker <em>discards</em> such messages. Default: they go to exchange and queue {@code <queue>.dlx}, which
     * {@link #declareTopology} declares.
     */
    public PlainReceiverBuilder withoutDeadLetterExchange() {
        this.hasDeadLetters = false;
        return this;
    }

    /**
     * Returns a failed message to the queue after its pause, where another instance may take it and others of its key overtake
     * it. Default: it is kept and handed over again, and its key waits.
     */
    public PlainReceiverBuilder requeue() {
        this.isRequeuing = true;
        return this;
    }

    /**
     * How long a message that failed pauses: after the first failure the shortest, doubling up to the longest. Default: 200 ms and 5
     * seconds. Range: 0 to 1 hour, the longest not below the shortest.
     */
    public PlainReceiverBuilder retryPause(Duration shortest, Duration longest) {
        Range.of("shortest", shortest, Duration.ZERO, Duration.ofHours(1));
        this.pauses = new Backoff(shortest, Range.of("longest", longest, shortest, Duration.ofHours(1)));
        return this;
    }

    /**
     * How often a message is handed over before it is taken for one that cannot be handled. With {@link #requeue} it needs quorum queues,
     * since classic ones do not count. Default: no limit, an outage however long parks nothing. Range: 1 to 1,000,000.
     */
    public PlainReceiverBuilder maxAttempts(int value) {
        this.maxAttempts = Range.of("maxAttempts", value, 1, 1_000_000);
        return this;
    }

    @Override
    public RabbitmqReceiver build() {
        if (hasDeadLetters && !declaresQueues()) {
            throw new IllegalStateException(
                    "A receiver that does not declare its queue cannot see to its dead-letter exchange: add declareTopology(), or give the queue one yourself and say withoutDeadLetterExchange()");
        }
        if (isRequeuing && maxAttempts != NO_LIMIT && !arguments().isQuorum()) {
            throw new IllegalStateException(
                    "maxAttempts() with requeue() needs quorumQueues(): classic queues do not count deliveries");
        }
        ReceiverOptions options = options(new PlainTopology(names(), arguments(), hasDeadLetters));
        Timer timer = new Timer("postrider-" + names().incoming() + "-timer");
        return new RabbitmqReceiver(
                options, new PlainSettlement(names().incoming(), isRequeuing, pauses, maxAttempts, timer), timer);
    }

    /** The queue, and if wanted a fanout exchange and a queue at it, both named {@code <queue>.dlx}, for what cannot be handled. */
    private record PlainTopology(QueueNames names, QueueArguments arguments, boolean hasDeadLetters)
            implements Topology {

        @Override
        public void declare(TopologySteps steps) {
            String deadLetters = names.deadLetterExchange();
            if (hasDeadLetters) {
                steps.exchange(deadLetters, BuiltinExchangeType.FANOUT);
                steps.queue(deadLetters, arguments.plain());
                steps.bind(deadLetters, deadLetters, "");
            }
            steps.queue(names.incoming(), hasDeadLetters ? arguments.incoming(deadLetters) : arguments.incoming());
        }

        @Override
        public void verify(TopologySteps steps) {
            steps.requireQueue(names.incoming());
        }
    }
}
