package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.BuiltinExchangeType;

/** The queue, and if wanted a fanout exchange and a queue at it, both named {@code <queue>.dlx}, for what cannot be handled. */
record PlainTopology(QueueNames names, QueueArguments arguments, boolean hasDeadLetters) implements Topology {

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
