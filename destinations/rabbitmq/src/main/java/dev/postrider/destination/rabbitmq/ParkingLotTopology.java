package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.BuiltinExchangeType;
import java.time.Duration;
import java.util.List;

/**
 * The incoming queue, queues where failed messages wait, and the parking lot, all at a topic exchange {@code <queue>.dlx}.
 *
 * @param pauses how long a message waits after its first failure, its second and so on; the last one stands for all further. The
 *     queue of the first pause is {@code <queue>.wait}, others have their milliseconds in their names
 */
record ParkingLotTopology(QueueNames names, QueueArguments arguments, List<Duration> pauses) implements Topology {

    /** Leads to the queue where a message waits after this attempt. */
    String waitKey(int attempt) {
        return waitKey(pauses.get(Math.min(attempt, pauses.size()) - 1));
    }

    private String waitKey(Duration pause) {
        return pause.equals(pauses.get(0)) ? QueueNames.WAIT_KEY : QueueNames.WAIT_KEY + "." + pause.toMillis();
    }

    private String waitQueue(Duration pause) {
        return pause.equals(pauses.get(0)) ? names.waitQueue() : names.waitQueue(pause);
    }

    @Override
    public void declare(TopologySteps steps) {
        String exchange = names.deadLetterExchange();
        steps.exchange(exchange, BuiltinExchangeType.TOPIC);
        pauses.forEach(
                pause -> steps.queue(waitQueue(pause), arguments.waiting(exchange, QueueNames.RETRY_KEY, pause)));
        steps.queue(names.parkingLot(), arguments.plain());
        steps.queue(names.incoming(), arguments.incoming(exchange, QueueNames.WAIT_KEY));
        pauses.forEach(pause -> steps.bind(waitQueue(pause), exchange, waitKey(pause)));
        steps.bind(names.incoming(), exchange, QueueNames.RETRY_KEY);
        steps.bind(names.parkingLot(), exchange, QueueNames.PARKING_LOT_KEY);
    }

    @Override
    public void verify(TopologySteps steps) {
        steps.requireExchange(names.deadLetterExchange());
        pauses.forEach(pause -> steps.requireQueue(waitQueue(pause)));
        steps.requireQueue(names.parkingLot());
        steps.requireQueue(names.incoming());
    }
}
